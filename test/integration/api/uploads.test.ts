import { readdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { testClock } from '../../helper.js'
import { refused, stored } from '../../written.js'
import { buildApi, metadata } from './service.js'

const BYTES = 'application/offset+octet-stream'
const HOUR = 3_600_000

const beginning = (bytes: number, name = 'notes.md') =>
  ({
    method: 'POST',
    headers: { 'upload-length': String(bytes), 'upload-metadata': metadata(name) },
  }) as const

const appending = (offset: number, payload: string | Buffer) =>
  ({ method: 'PATCH', headers: { 'upload-offset': String(offset), 'content-type': BYTES }, payload }) as const

t.test('an upload arrives in parts (tus 1.0.0)', async t => {
  const { app, ann, harbour, program } = await buildApi(t)
  const { tus } = await program(ann)
  const begun = await tus(`/safes/${harbour}/uploads`, beginning(10))
  t.equal(begun.statusCode, 201)
  t.equal(begun.headers['upload-offset'], '0')
  t.ok(Date.parse(String(begun.headers['upload-expires'])) > Date.now() + 23 * HOUR)
  const location = String(begun.headers.location)
  const first = await tus(location, appending(0, 'Ada, '))
  t.equal(first.statusCode, 204)
  t.equal(first.headers['upload-offset'], '5')
  const head = await tus(location, { method: 'HEAD' })
  t.match(head.headers, { 'upload-offset': '5', 'upload-length': '10', 'cache-control': 'no-store' })
  const wrong = await refused(t, app, 'wrong offset', () => tus(location, appending(4, 'x')))
  t.match(wrong.json(), { status: 409, code: 'wrong_offset' })
  t.equal((await tus(location, appending(5, 'Ben, x'))).statusCode, 413, 'more than announced')
  t.equal((await tus(location, appending(5, 'Ben\n.'))).headers['upload-offset'], '10')
  t.equal((await tus(location, { method: 'DELETE' })).statusCode, 204)
  t.equal((await tus(location, { method: 'HEAD' })).statusCode, 404)
  t.same(readdirSync(join(app.config.dataDir, 'received')), [])
})

t.test('a request without Tus-Resumable is 412; bad headers are 400 and write nothing', async t => {
  const { app, ann, harbour, program } = await buildApi(t)
  const { tus, send } = await program(ann)
  const url = `/safes/${harbour}/uploads`
  const plain = await refused(t, app, 'no version', () => send(url, beginning(1)))
  t.equal(plain.statusCode, 412)
  t.equal(plain.headers['tus-version'], '1.0.0')
  const cases: [Record<string, string>, number][] = [
    [{ 'upload-metadata': metadata('a') }, 400],
    [{ 'upload-length': '-1', 'upload-metadata': metadata('a') }, 400],
    [{ 'upload-length': '1e3', 'upload-metadata': metadata('a') }, 400],
    [{ 'upload-length': '9'.repeat(15), 'upload-metadata': metadata('a') }, 413],
    [{ 'upload-length': '536870913', 'upload-metadata': metadata('a') }, 413],
    [{ 'upload-length': '1' }, 400],
    [{ 'upload-length': '1', 'upload-metadata': metadata('a\0b') }, 400],
    [{ 'upload-length': '1', 'upload-metadata': metadata('a'.repeat(1001)) }, 400],
    [{ 'upload-length': '1', 'upload-metadata': 'filename' }, 400],
    [{ 'upload-length': '1', 'upload-metadata': 'x'.repeat(5_000) }, 400],
  ]
  for (const [headers, status] of cases) {
    const name = JSON.stringify(headers).slice(0, 60)
    const reply = await refused(t, app, name, () => tus(url, { method: 'POST', headers }))
    t.equal(reply.statusCode, status, name)
  }
  t.equal((await tus(`${url}/${'a'.repeat(22)}`, { method: 'HEAD' })).statusCode, 404)
})

t.test('uploads belong to an account and a Safe, and need an owner', async t => {
  const { app, ann, bob, harbour, garden, program } = await buildApi(t)
  await app.safes.members.share(ann, harbour, bob, 'owner')
  await app.safes.members.share(ann, garden, bob, 'reader')
  const [hers, his] = [await program(ann), await program(bob)]
  const id = await hers.upload(harbour, 'notes.md', 'Ada')
  t.equal((await his.tus(`/safes/${harbour}/uploads/${id}`, { method: 'HEAD' })).statusCode, 404)
  t.equal((await hers.tus(`/safes/${garden}/uploads/${id}`, { method: 'HEAD' })).statusCode, 404)
  const reader = () => his.tus(`/safes/${garden}/uploads`, beginning(1))
  t.match((await refused(t, app, 'a reader', reader)).json(), { status: 403, code: 'owner_only' })
  t.equal((await hers.tus(`/safes/${harbour}/uploads/${id}`, { method: 'HEAD' })).statusCode, 200)
})

t.test('an account may keep 2 GiB and 1,000 uploads for a day', async t => {
  const clock = testClock(Date.now())
  const { app, ann, bob, harbour, office, program } = await buildApi(t, { clock })
  const { tus } = await program(ann)
  const url = `/safes/${harbour}/uploads`
  const HALF = 512 * 1024 * 1024
  for (let i = 0; i < 4; i++) t.equal((await tus(url, beginning(HALF))).statusCode, 201)
  const fifth = await refused(t, app, 'bytes', () => tus(url, beginning(1)))
  t.match(fifth.json(), { status: 429, code: 'too_many_uploads' })
  t.ok(fifth.headers['retry-after'])
  t.equal((await (await program(bob)).tus(`/safes/${office}/uploads`, beginning(1))).statusCode, 201)

  clock.now += 24 * HOUR
  const later = await program(ann)
  await app.uploads.sweep()
  t.same(readdirSync(join(app.config.dataDir, 'received')), [], 'what has expired is deleted')
  for (let i = 0; i < 1_000; i++) await app.uploads.begin(ann, harbour, { name: 'empty.md', bytes: 0 })
  const next = await refused(t, app, 'count', () => later.tus(url, beginning(0)))
  t.match(next.json(), { status: 429, code: 'too_many_uploads' })
})

t.test('an expired upload, or one whose file is lost, is 410', async t => {
  const clock = testClock(Date.now())
  const { app, ann, harbour, program } = await buildApi(t, { clock })
  const lost = await (await program(ann)).upload(harbour, 'a.md', 'Ada')
  await app.safes.idle()
  const { rmSync } = await import('node:fs')
  rmSync(join(app.config.dataDir, 'received', lost))
  const { tus, upload } = await program(ann)
  const expired = await tus(`/safes/${harbour}/uploads/${lost}`, appending(0, 'Ada'))
  t.match(expired.json(), { status: 410, code: 'upload_expired' })
  const id = await upload(harbour, 'b.md', 'Ada')
  clock.now += 24 * HOUR
  const late = await program(ann)
  t.equal((await late.tus(`/safes/${harbour}/uploads/${id}`, { method: 'HEAD' })).statusCode, 410)
  writeFileSync(join(app.config.dataDir, 'received', 'x'.repeat(22)), 'left by a removed Safe')
  await app.uploads.sweep()
  t.same(readdirSync(join(app.config.dataDir, 'received')), [])
})

t.test('a broken connection loses nothing that arrived, and a request replaces one that hangs', async t => {
  const { app, ann, harbour, program } = await buildApi(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const { tus, token, post, imported } = await program(ann)
  const lines = Array.from({ length: 1_000 }, (_, i) =>
    JSON.stringify({ type: 'entity', name: `Lamp ${i}`, entityType: 'x'.repeat(900), observations: [] }),
  )
  const content = Buffer.from(lines.join('\n'))
  const begun = await tus(`/safes/${harbour}/uploads`, beginning(content.length, 'lamps.jsonl'))
  const path = new URL(String(begun.headers.location)).pathname
  const offsetOf = async () =>
    Number((await tus(String(begun.headers.location), { method: 'HEAD' })).headers['upload-offset'])
  /** Sends some bytes, and then neither more bytes nor an end. */
  const hang = (offset: number, bytes: Buffer) => {
    const sent = request({
      port,
      path,
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${token}`,
        'tus-resumable': '1.0.0',
        'upload-offset': offset,
        'content-type': BYTES,
        'content-length': content.length - offset,
      },
    })
    const closed = new Promise<void>(resolve => sent.on('close', resolve).on('error', () => {}))
    sent.write(bytes)
    return { sent, closed }
  }
  const arrived = async (bytes: number) => {
    const file = join(app.config.dataDir, 'received', path.split('/').at(-1) ?? '')
    const { statSync } = await import('node:fs')
    while (statSync(file).size < bytes) await new Promise(resolve => setTimeout(resolve, 5))
  }
  const first = hang(0, content.subarray(0, 500_000))
  await arrived(500_000)
  first.sent.destroy()
  await first.closed
  t.equal(await offsetOf(), 500_000, 'kept')
  const second = hang(500_000, content.subarray(500_000, 600_000))
  await arrived(600_000)
  t.equal(await offsetOf(), 600_000)
  await second.closed
  t.pass('asking for the offset ends the request that hangs')
  const third = hang(600_000, content.subarray(600_000, 700_000))
  await arrived(700_000)
  const rest = await tus(path.slice('/api/v1'.length), appending(700_000, content.subarray(700_000)))
  t.equal(rest.statusCode, 204)
  await third.closed
  const reply = await post(`/safes/${harbour}/imports`, { uploads: [path.split('/').at(-1)] })
  const item = await imported(harbour, reply.json().id)
  t.match(item, { status: 'committed', counts: { entities: 1_000 }, source: 'lamps.jsonl' })
})

t.test('an account sends two uploads at a time', async t => {
  const { app, ann, harbour, program } = await buildApi(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { tus, upload } = await program(ann)
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const running = [1, 2].map(() => app.uploadsAtOnce.run(ann, () => held))
  const begun = await tus(`/safes/${harbour}/uploads`, beginning(1))
  const reply = await refused(t, app, 'third', () => tus(String(begun.headers.location), appending(0, 'x')))
  t.match(reply.json(), { status: 429, code: 'too_many_uploads' })
  t.equal(reply.headers['retry-after'], '10')
  const { headers } = beginning(1)
  const whole = { method: 'POST', headers: { ...headers, 'content-type': BYTES }, payload: 'x' } as const
  const first = await refused(t, app, 'whole file', () => tus(`/safes/${harbour}/uploads`, whole))
  t.equal(first.statusCode, 429)
  release()
  await Promise.all(running)
  t.ok(await upload(harbour, 'a.md', 'Ada'))
})

t.test('a whole file that is longer than announced leaves nothing', async t => {
  const { app, ann, harbour, program } = await buildApi(t)
  const { tus } = await program(ann)
  const { headers } = beginning(2)
  const whole = { method: 'POST', headers: { ...headers, 'content-type': BYTES }, payload: 'xyz' } as const
  const before = await stored(app)
  const reply = await tus(`/safes/${harbour}/uploads`, whole)
  t.strictSame(await stored(app), before)
  t.match(reply.json(), { status: 413, code: 'too_large' })
  t.same(readdirSync(join(app.config.dataDir, 'received')), [])
})
