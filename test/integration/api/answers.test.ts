import type { AddressInfo } from 'node:net'
import t from 'tap'
import { API, buildApi, metadata, sha256 } from './service.js'

const BIG = 24 * 1024 * 1024

t.test('a client that is still sending gets the answer, not a broken connection', async t => {
  const { app, ann, harbour, program } = await buildApi(t)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { token } = await program(ann)
  const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}${API}/safes/${harbour}`
  const send = async (
    path: string,
    headers: Record<string, string>,
    body?: string | FormData | Uint8Array,
  ) => {
    const method = path.startsWith('/uploads/') ? 'PATCH' : 'POST'
    const authorized = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', ...headers }
    const content = body === undefined ? {} : { body: body as string }
    const reply = await fetch(`${base}${path}`, { method, headers: authorized, ...content })
    return { status: reply.status, location: reply.headers.get('location'), body: await reply.text() }
  }
  const lines = { 'content-type': 'application/x-ndjson' }
  const manifest = await send('/sync-runs?name=n', lines, `nonsense\n${'x'.repeat(100)}\n`.repeat(BIG / 110))
  t.match(JSON.parse(manifest.body), { status: 400, code: 'bad_manifest', detail: /^Line 1 / })

  const begun = await send('/uploads', { 'upload-length': '10', 'upload-metadata': metadata('a.md') })
  const bytes = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
  const path = `/uploads/${begun.location?.split('/').at(-1)}`
  const upload = await send(path, bytes, new Uint8Array(BIG))
  t.match(JSON.parse(upload.body), { status: 413, code: 'too_large' })

  const file = JSON.stringify({ path: 'a.md', size: 3, sha256: sha256('abc') })
  const run = JSON.parse((await send('/sync-runs?name=n', lines, file)).body)
  const form = new FormData()
  form.append(sha256('abc'), new Blob(['abd']), 'a.md')
  form.append(sha256('x'), new Blob([new Uint8Array(BIG)]), 'b.md')
  const contents = await send(`/sync-runs/${run.id}/contents`, {}, form)
  t.match(JSON.parse(contents.body), { status: 400, code: 'wrong_content' })
})
