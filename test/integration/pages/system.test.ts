import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { addressTexts } from '../../../domain/doctor/checks/address-texts.js'
import { installationTexts } from '../../../domain/doctor/checks/installation-texts.js'
import { version } from '../../../platform/common/package.js'
import { systemTexts } from '../../../views/texts/system.js'
import { build, dataDir, testClock } from '../../helper.js'
import { addLighthouse } from '../../lighthouse.js'
import { listen } from '../doctor/set-up.js'
import { startRedis } from '../redis/servers.js'
import { Browser, PASSWORD } from './browser.js'
import { open, signedIn, walk } from './open.js'

const m = systemTexts
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;')

t.test('administrators see the state of the service', async t => {
  const backups = dataDir(t)
  const secret = join(dataDir(t), 'password')
  writeFileSync(secret, PASSWORD)
  writeFileSync(join(backups, 'svc-2026-06-01T18-00-00Z.db'), '')
  const app = await build(t, {
    setUp: 'redis',
    env: {
      BACKUP_DIR: backups,
      ADMIN_EMAIL: 'ada@a.example',
      ADMIN_PASSWORD_FILE: secret,
      INDEX_CACHE_MB: '64',
    },
  })
  const ada = await signedIn(app, 'ada@a.example')
  const bob = await signedIn(app, 'bob@a.example')
  const own = await addLighthouse(app, ada.id)
  const other = await app.safes.create(bob.id, 'Bob’s secret Safe')
  await app.safes.questions.ask(ada.id, own.id, { query: 'Who leads the Lens Restoration?' })

  const { body } = await ada.browser.get('/system')
  t.ok(body.includes(m.versionOf(version, process.version)))
  t.match(body, /<dt>Embedded database<\/dt>\s*<dd><bdi>answers in \d+\.\d ms/)
  t.match(body, /<dt>Redis<\/dt>\s*<dd><bdi>answers in \d+\.\d ms/)
  t.match(
    body,
    /<dt>Last backup<\/dt>\s*<dd><bdi><time datetime="2026-06-01T18:00:00.000Z">1 Jun 2026, 18:00 UTC/,
  )
  t.match(body, /of 67\.1 MB, 1 Safe</)
  t.match(body, /<b>Lighthouse cooperative<\/b><\/bdi>\s*<small>\d+ documents? · 46 things · 91 relations/)
  t.match(
    body,
    new RegExp(`<code>${other.id}</code>\\s*<small>0 things · 0 relations · 0 passages · no index file`),
  )
  t.notMatch(body, 'secret Safe', 'S2 not the Safes of others')
  t.match(body, /<code>INDEX_CACHE_MB<\/code>\s*<span class="tag">environment<\/span>\s*<small>64</)
  t.match(body, /<code>PORT<\/code>\s*<span class="tag">default<\/span>\s*<small>3000</)
  t.match(
    body,
    /<code>ADMIN_PASSWORD<\/code>\s*<span class="tag">file of ADMIN_PASSWORD_FILE<\/span>\s*<small>\(set\)</,
  )
  t.notMatch(body, /correct horse|redis:\/\//, 'S1 no secret')
  t.ok(body.includes(m.unchecked))
  t.match(body, /<a href="\/system" aria-current="page">System/)
  t.notMatch((await bob.browser.get('/safes')).body, '/system')
})

t.test('Safes are listed page by page', async t => {
  const { app, browser, id } = await open(t)
  for (let i = 0; i < 51; i++) await app.safes.create(id, `Safe ${i}`)
  const { found, pages } = await walk(browser, '/system', /<b>(Safe \d+)<\/b>/g)
  t.strictSame([new Set(found).size, pages], [51, 2])
})

t.test('a button runs the checks of svc doctor, at most once a minute', async t => {
  const redis = await startRedis(t, '--maxmemory-policy', 'allkeys-lru')
  let requests = 0
  const website = createServer((_request, response) => {
    requests++
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome')
  })
  website.listen(0, 'localhost')
  await once(website, 'listening')
  t.teardown(() => website.close())
  const baseUrl = `http://localhost:${(website.address() as AddressInfo).port}`
  const clock = testClock(Date.now())
  const app = await build(t, { clock, env: { REDIS_URL: redis.url, BASE_URL: baseUrl } })
  await listen(app)
  const ada = new Browser(app)
  await ada.signIn('ada@a.example')
  const check = () => ada.submit('/system', '/system/check')

  const before = requests
  const [{ statusCode, body }] = await Promise.all([check(), check()])
  t.equal(statusCode, 200)
  for (const advice of [
    addressTexts.address.wrongAnswer(baseUrl, '200 text/html'),
    installationTexts.redis.evicts('allkeys-lru'),
  ])
    for (const sentence of Object.values(advice)) t.ok(body.includes(escaped(sentence)), sentence)
  t.match(body, /Public address <span class="tag bad">problem/)
  t.ok(body.indexOf('tag bad') < body.indexOf('tag warn'), 'the worst first')
  t.match(body, /<span class="tag good">ok<\/span> Settings, Database, .*Disk space/)
  const made = requests - before
  clock.now += 59_000
  t.equal((await check()).statusCode, 200)
  t.equal(requests - before, made, 'what was found is shown again')
  t.ok((await ada.get('/system')).body.includes('tag bad'), 'also without the button')
  clock.now += 1000
  await check()
  t.ok(requests - before > made)

  const without = await ada.post('/system/check', {})
  t.equal(without.statusCode, 403, 'C1 a form of another page runs nothing')
})
