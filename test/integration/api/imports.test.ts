import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { refused } from '../../written.js'
import { buildApi, fill } from './service.js'

const LAMP = JSON.stringify({
  type: 'entity',
  name: 'Lamp',
  entityType: 'thing',
  observations: ['It burns.'],
})

t.test('reads an upload into the Safe, shows the report, and records the connection', async t => {
  const { app, ann, harbour, program } = await buildApi(t)
  const { post, get, upload, imported, connectionId } = await program(ann)
  const reply = await post(`/safes/${harbour}/imports`, {
    uploads: [await upload(harbour, 'lamp.jsonl', LAMP)],
  })
  t.equal(reply.statusCode, 202)
  t.match(reply.json(), { id: 1, status: 'staging', source: 'lamp.jsonl', format: 'jsonl', problem: null })
  t.ok(String(reply.headers.location).endsWith(`/safes/${harbour}/imports/1`))
  const item = await imported(harbour, 1)
  t.match(item, { status: 'committed', counts: { entities: 1, passages: 1 }, merged: false, sync: null })
  t.match(item.committed_at, /Z$/)
  await app.safes.idle()
  t.same(readdirSync(join(app.config.dataDir, 'received')), [], 'the upload is used up')
  t.match((await post(`/safes/${harbour}/ask`, { query: 'Lamp' })).json().passages, [
    { source: 'lamp.jsonl' },
  ])
  await app.activity.flush()
  const [entry] = (await app.activity.recentOfAccount(ann, 10)).filter(({ kind }) => kind === 'imported')
  t.match(entry, { detail: 'lamp.jsonl', assistant: { connectionId } })
  t.equal((await get(`/safes/${harbour}/imports/2`)).statusCode, 404)
  t.equal((await get(`/safes/${harbour}/imports/0`)).statusCode, 400)
})

t.test('a duplicate names the import that it repeats', async t => {
  const { ann, harbour, program } = await buildApi(t)
  const { post, upload, imported } = await program(ann)
  for (const id of [1, 2]) {
    await post(`/safes/${harbour}/imports`, { uploads: [await upload(harbour, 'lamp.jsonl', LAMP)] })
    const item = await imported(harbour, id)
    t.match(item, id === 1 ? { status: 'committed' } : { status: 'failed', same_as: 1, problem: /import 1/ })
  }
})

t.test('several uploads are read as a folder, in one import', async t => {
  const { ann, harbour, program } = await buildApi(t)
  const { post, upload, imported } = await program(ann)
  const uploads = [
    await upload(harbour, 'notes/Lamp.md', 'The [[Tower]] holds it.'),
    await upload(harbour, 'notes/Tower.md', 'Forty metres.'),
  ]
  await post(`/safes/${harbour}/imports`, { uploads, name: 'notes' })
  t.match(await imported(harbour, 1), { status: 'committed', source: 'notes', format: 'folder' })
  const { facts } = (await post(`/safes/${harbour}/ask`, { from: 'Lamp', to: 'Tower' })).json()
  t.match(facts, [{ subject: 'Lamp', object: 'Tower' }])
})

t.test('bad lines are named and nothing is added, unless they are skipped', async t => {
  const { ann, harbour, program } = await buildApi(t)
  const { post, upload, imported } = await program(ann)
  const content = `${LAMP}\nnonsense\n`
  await post(`/safes/${harbour}/imports`, { uploads: [await upload(harbour, 'lamp.jsonl', content)] })
  const failed = await imported(harbour, 1)
  t.match(failed, { status: 'failed', bad_line_count: 1, bad_lines: [{ line: 2, problem: String }] })
  const uploads = [await upload(harbour, 'lamp.jsonl', content)]
  await post(`/safes/${harbour}/imports`, { uploads, skip_bad: true })
  t.match(await imported(harbour, 2), { status: 'committed', counts: { entities: 1 } })
})

t.test('what was read in another way than meant is said, and refuses nothing', async t => {
  const { ann, harbour, program } = await buildApi(t)
  const { post, upload, imported } = await program(ann)
  const uploads = [
    await upload(harbour, 'notes/Bell.md', '---\nrings\nby: Ada\n---\nText.'),
    await upload(harbour, 'notes/Horn.md', 'Text.'),
  ]
  await post(`/safes/${harbour}/imports`, { uploads, name: 'notes' })
  const { remarks, ...done } = await imported(harbour, 1)
  t.match(done, { status: 'committed', documents: 2, bad_line_count: 0 })
  t.match(remarks, { count: 1, first: [{ file: 'notes/Bell.md', line: 2, problem: /is not “name: value”/ }] })
  await post(`/safes/${harbour}/imports`, { uploads: [await upload(harbour, 'Horn.md', '---\nhorn')] })
  const { remarks: alone } = await imported(harbour, 2)
  t.match(alone, { count: 1, first: [{ line: 1, problem: /never ends/ }] })
})

t.test('commit, undo and restore', async t => {
  const { app, ann, harbour, program } = await buildApi(t)
  await fill(app, ann, harbour)
  const { post, get, send, upload, imported } = await program(ann)
  const url = `/safes/${harbour}/imports/2`
  const uploads = [await upload(harbour, 'lamp.jsonl', LAMP)]
  await post(`/safes/${harbour}/imports`, { uploads, commit: false })
  const staged = await imported(harbour, 2)
  t.match(staged, {
    status: 'staged',
    comparison: {
      added: { entities: 1 },
      conflicts: 0,
      documents: { added: 1, changed: 0, unchanged: 0 },
    },
  })
  t.match((await post(`${url}/commit`)).json(), { id: 2, status: 'committed' })
  t.match((await post(`${url}/commit`)).json(), { status: 409, code: 'not_staged' })
  t.equal((await send(url, { method: 'DELETE' })).statusCode, 204)
  t.same((await post(`/safes/${harbour}/ask`, { query: 'Lamp' })).json().passages, [])
  t.match((await post(`${url}/restore`)).json(), { id: 2, status: 'committed' })
  t.equal((await get(url)).json().status, 'committed')
})

t.test('what cannot be imported says why, and the uploads remain', async t => {
  const { app, ann, bob, harbour, garden, program } = await buildApi(t)
  await app.safes.members.share(ann, harbour, bob, 'owner')
  const { post, tus, upload, imported } = await program(ann)
  const url = `/safes/${harbour}/imports`
  const [lamp, picture] = [await upload(harbour, 'lamp.jsonl', LAMP), await upload(harbour, 'a.png', 'x')]
  const begun = await tus(`/safes/${harbour}/uploads`, {
    method: 'POST',
    headers: { 'upload-length': '9', 'upload-metadata': 'filename YS5tZA==' },
  })
  const incomplete = String(begun.headers.location).split('/').at(-1)
  const elsewhere = await upload(garden, 'lamp.jsonl', LAMP)
  const cases: [object, number, string][] = [
    [{ uploads: [picture] }, 400, 'unknown_format'],
    [{ uploads: [lamp], format: 'nothing' }, 400, 'unknown_format'],
    [{ uploads: [incomplete] }, 409, 'upload_incomplete'],
    [{ uploads: [lamp, 'x'] }, 404, 'not_found'],
    [{ uploads: [elsewhere] }, 404, 'not_found'],
    [{ uploads: [] }, 400, 'invalid_request'],
    [{}, 400, 'invalid_request'],
    [{ uploads: [lamp], more: 1 }, 400, 'invalid_request'],
  ]
  for (const [body, status, code] of cases) {
    const name = JSON.stringify(body)
    const reply = await refused(t, app, name, () => post(url, body))
    t.match(reply.json(), { status, code }, name)
  }
  const used = await app.uploads.use(ann, harbour, [lamp])
  t.match((await post(url, { uploads: [lamp] })).json(), { status: 409, code: 'upload_in_use' })
  t.match((await tus(`/safes/${harbour}/uploads/${lamp}`, { method: 'DELETE' })).statusCode, 409)
  await used.end(false)
  const his = await program(bob)
  t.equal((await his.post(url, { uploads: [lamp] })).statusCode, 404, 'the upload of another account')
  const { id } = (await post(url, { uploads: [lamp] })).json()
  t.equal((await imported(harbour, id)).status, 'committed', 'after all these refusals')
})

t.test('exports are streamed, equal the download of the page, and are recorded', async t => {
  const { app, ann, harbour, program } = await buildApi(t)
  await fill(app, ann, harbour)
  const { get, send, connectionId } = await program(ann, { scope: ['vault:read'] })
  for (const format of ['jsonl', 'ntriples', 'csv']) {
    const reply = await get(`/safes/${harbour}/export?format=${format}`)
    t.equal(reply.statusCode, 200)
    t.match(reply.headers['content-disposition'], /^attachment; filename="Harbour\./)
    let expected = ''
    for await (const chunk of (await app.safes.export(ann, harbour, format)).chunks) expected += chunk
    t.equal(reply.body, expected, format)
  }
  t.equal(
    (await get(`/safes/${harbour}/export`)).body,
    (await get(`/safes/${harbour}/export?format=jsonl`)).body,
  )
  t.match((await get(`/safes/${harbour}/export?format=x`)).json(), { status: 400, code: 'unknown_format' })
  t.equal((await send(`/safes/${harbour}/export`, { method: 'HEAD' })).statusCode, 404)
  await app.activity.flush()
  const exported = (await app.activity.recentOfAccount(ann, 20)).filter(({ kind }) => kind === 'exported')
  t.ok(exported.some(({ assistant }) => assistant?.connectionId === connectionId))
})
