import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { people } from '../safes/open.js'
import { open } from './open.js'

async function filled(t: Test, count: number) {
  const { app, browser: ann, id } = await open(t)
  const safe = await app.safes.create(id, 'People')
  const bytes = Readable.from([Buffer.from(people(count))])
  await app.safes.imports.add(id, safe.id, { source: 'a.nt', bytes, commit: true })
  return { ann, app, safe, path: `/safes/${safe.id}/export` }
}

t.test('members can download the export', async t => {
  const { ann, safe, path } = await filled(t, 3)
  const page = await ann.get(`/safes/${safe.id}/settings`)
  t.match(page.body, new RegExp(`action="${path}"`), 'the page offers it')
  const file = await ann.get(`${path}?format=ntriples`)
  t.equal(file.statusCode, 200)
  t.equal(file.headers['content-disposition'], 'attachment; filename="People.nt"')
  t.equal(file.headers['content-type'], 'application/n-triples; charset=utf-8')
  t.equal(file.headers['cache-control'], 'no-store')
  t.match(file.body, /"Person 1"/)
  const folder = await ann.get(`${path}?format=markdown`)
  t.match(folder, { statusCode: 200, headers: { 'content-type': 'application/zip' } })
  t.equal(folder.rawPayload.subarray(0, 2).toString(), 'PK')
  for (const query of ['?format=xml', '', '?format=a&format=b']) {
    t.equal((await ann.get(`${path}${query}`)).statusCode, 400, query)
  }
})

t.test(
  'an export reads what is taken from it, ends with a reader who leaves, and gives others their turn',
  async t => {
    const { app, ann, path } = await filled(t, 6_000)
    await app.listen({ port: 0 })
    const { port } = app.server.address() as AddressInfo
    const cookie = [...ann.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const options = { port, path: `${path}?format=csv`, headers: { cookie, host: 'safes.example' } }
    const get = async (): Promise<IncomingMessage> => (await once(request(options).end(), 'response'))[0]

    const left = new Promise<unknown>(resolve => {
      app.server.once('connection', socket => socket.once('close', resolve))
    })
    const watched = watchChunks(app, async taken => {
      if (taken === 3) await left
    })
    const reader = await get()
    reader.destroy()
    t.ok((await watched) <= 3, 'no chunk is taken for a reader who has left')

    let [lines, turns, reading] = [0, 0, true]
    const count = () => {
      turns++
      if (reading) setImmediate(count)
    }
    const chunks = watchChunks(app)
    count()
    for await (const chunk of await get()) lines += String(chunk).split('\n').length - 1
    reading = false
    t.equal(lines, 1 + 6_001 + 6_000)
    t.ok(turns > (await chunks), 'others had a turn before each chunk')
  },
)

/** Watches the next export. Resolves when it has ended, with the number of chunks read from it. */
function watchChunks(app: FastifyInstance, beforeChunk = async (_taken: number) => {}): Promise<number> {
  const exporting = app.safes.export
  return new Promise(resolve => {
    app.safes.export = async (...args) => {
      app.safes.export = exporting
      const file = await exporting.apply(app.safes, args)
      let taken = 0
      async function* watched() {
        try {
          for await (const chunk of file.chunks) {
            await beforeChunk(++taken)
            yield chunk
          }
        } finally {
          resolve(taken)
        }
      }
      return { ...file, chunks: watched() }
    }
  })
}
