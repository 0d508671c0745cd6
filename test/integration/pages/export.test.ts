import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { build } from '../../helper.js'
import { people } from '../safes/open.js'
import { Browser } from './browser.js'

async function filled(t: Parameters<typeof build>[0], count: number) {
  const app = await build(t)
  const ann = new Browser(app)
  await ann.signIn('ann@example.org')
  const account = (await app.accounts.findByEmail('ann@example.org'))!
  const safe = await app.safes.create(account.id, 'People')
  const bytes = Readable.from([Buffer.from(people(count))])
  await app.safes.import(account.id, safe.id, { source: 'a.nt', bytes, commit: true })
  return { app, ann, safe, path: `/safes/${safe.id}/export` }
}

t.test('S2 members can download the export; for everybody else it does not exist', async t => {
  const { app, ann, safe, path } = await filled(t, 3)
  const page = await ann.get(`/safes/${safe.id}/settings`)
  t.match(page.body, new RegExp(`action="${path}"`), 'the page offers it')
  const file = await ann.get(`${path}?format=ntriples`)
  t.equal(file.statusCode, 200)
  t.equal(file.headers['content-disposition'], 'attachment; filename="People.nt"')
  t.equal(file.headers['content-type'], 'application/n-triples; charset=utf-8')
  t.equal(file.headers['cache-control'], 'no-store')
  t.match(file.body, /"Person 1"/)
  for (const query of ['?format=xml', '', '?format=a&format=b']) {
    t.equal((await ann.get(`${path}${query}`)).statusCode, 400, query)
  }
  const eve = new Browser(app)
  await eve.signIn('eve@example.org')
  const refused = await eve.get(`${path}?format=ntriples`)
  t.equal(refused.statusCode, 404)
  t.notMatch(refused.body, /Person|People</)
  const nobody = await new Browser(app).get(`${path}?format=ntriples`)
  t.match(nobody, { statusCode: 303, headers: { location: '/login' } })
})

t.test('an export waits for a slow reader, ends with one who leaves, and holds nobody up', async t => {
  const { app, ann, path } = await filled(t, 30_000)
  await app.listen({ port: 0 })
  const { port } = app.server.address() as AddressInfo
  const cookie = [...ann.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const get = () =>
    new Promise<import('node:http').IncomingMessage>((resolve, reject) =>
      request(
        {
          port,
          host: '127.0.0.1',
          path: `${path}?format=csv`,
          headers: { cookie, host: 'safes.example' },
        },
        resolve,
      )
        .on('error', reject)
        .end(),
    )
  const slow = await get()
  slow.pause()
  const before = process.memoryUsage().rss
  await pause(500)
  t.ok(process.memoryUsage().rss - before < 50_000_000, 'what nobody reads is not collected')
  slow.destroy()

  let [lines, turns, reading] = [0, 0, true]
  const count = () => {
    turns++
    if (reading) setImmediate(count)
  }
  count()
  for await (const chunk of await get()) lines += String(chunk).split('\n').length - 1
  reading = false
  t.equal(lines, 1 + 30_001 + 30_000)
  t.ok(turns > 50, `others had ${turns} turns`)
})
