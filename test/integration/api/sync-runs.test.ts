import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { testClock } from '../../helper.js'
import { refused } from '../../written.js'
import { buildApi, type Program, sha256 } from './service.js'

type Folder = Record<string, string>

/** The calls of a program that keeps a Safe in step with a folder. */
function folderOf({ send, post, get }: Pick<Program, 'send' | 'post' | 'get'>, safe: string, name = 'notes') {
  const url = `/safes/${safe}/sync-runs`
  const start = (folder: Folder, more = '') => {
    const lines = Object.entries(folder).map(([path, text]) =>
      JSON.stringify({ path, size: Buffer.byteLength(text), sha256: sha256(text) }),
    )
    const headers = { 'content-type': 'application/x-ndjson' }
    const query = `name=${name}&folder=/home/ann/notes${more}`
    return send(`${url}?${query}`, { method: 'POST', headers, payload: lines.join('\n') })
  }
  const sendContents = (run: string, contents: readonly string[], names = contents.map(sha256)) => {
    const form = new FormData()
    contents.forEach((text, at) => {
      form.append(names[at] ?? '', new Blob([text]), 'file')
    })
    return send(`${url}/${run}/contents`, { method: 'POST', payload: form })
  }
  const finish = (run: string, body: object = {}) => post(`${url}/${run}/finish`, body)
  /** A whole run. Returns the requested contents, and the report. */
  const sync = async (folder: Folder, more = '') => {
    const run = (await start(folder, more)).json()
    const texts = Object.values(folder)
    const wanted = texts.filter(text => run.wanted.includes(sha256(text)))
    if (wanted.length > 0) await sendContents(run.id, wanted)
    const { report } = (await finish(run.id)).json()
    return { wanted, report }
  }
  return { url, start, sendContents, finish, sync, find: (run: string) => get(`${url}/${run}`) }
}

const NOTES = { 'Lamp.md': 'The [[Tower]] holds it.', 'Tower.md': 'Forty metres.' }

const received = (app: FastifyInstance) => readdirSync(join(app.config.dataDir, 'received'))

t.test('a run sends only what has changed, and shows everything at once', async t => {
  const { app, ann, harbour, program } = await buildApi(t)
  const ann1 = await program(ann)
  const { sync, start, sendContents, finish, find } = folderOf(ann1, harbour)
  const ask = async (query: string) => (await ann1.post(`/safes/${harbour}/ask`, { query })).json()

  const begun = await start(NOTES)
  t.equal(begun.statusCode, 201)
  const run = begun.json()
  t.ok(String(begun.headers.location).endsWith(run.id))
  t.match(run, { name: 'notes', status: 'open', files: 2, read: 0, report: null, problem: null, code: null })
  t.same(new Set(run.wanted), new Set(Object.values(NOTES).map(sha256)))
  t.same((await sendContents(run.id, [NOTES['Lamp.md']])).json(), { wanted_count: 1 })
  t.same((await find(run.id)).json().wanted, [sha256(NOTES['Tower.md'])], 'what is left after a break')
  t.same((await sendContents(run.id, ['not wanted', NOTES['Tower.md']])).json(), { wanted_count: 0 })
  t.same((await ask('Tower')).passages, [], 'nothing is visible')
  const leftOut = { hidden: 1, ignored: 2, too_large: 0, links: 0, others: 3 }
  const done = (await finish(run.id, { left_out: leftOut })).json()
  t.match(done, { status: 'done', wanted: { length: 0 }, read: 2, to_read: 2 })
  t.match(done.report, {
    run: 1,
    added: 2,
    changed: 0,
    failed_count: 0,
    failed: { length: 0 },
    left_out: leftOut,
  })
  t.match((await ask('Tower')).passages, [{ source: 'Tower.md' }])
  t.same((await find(run.id)).json(), done)
  t.same((await finish(run.id)).json(), done, 'finishing twice is harmless')
  t.equal(existsSync(join(app.config.dataDir, 'received', run.id)), false)

  const same = await sync(NOTES)
  t.same(same.wanted, [])
  t.match(same.report, { run: null, added: 0, changed: 0 })
  const changed = await sync({ ...NOTES, 'Tower.md': 'Fifty metres.' })
  t.same(changed.wanted, ['Fifty metres.'])
  t.match(changed.report, { run: 2, changed: 1 })
  const renamed = await sync({ 'Lamp.md': NOTES['Lamp.md'], 'Mast.md': 'Fifty metres.' })
  t.match(renamed.report, { run: 3, renamed: 1, relinked: 1 })
  t.equal(renamed.wanted.length, 2, 'also the unchanged note whose link means something else now')
  t.match((await sync({ 'Mast.md': 'Fifty metres.' })).report, { removed: 1 })

  const imports = `/safes/${harbour}/imports`
  t.match((await ann1.get(`${imports}/4`)).json(), { format: 'sync', sync: { removed: 1, added: 0 } })
  t.equal((await ann1.send(`${imports}/4`, { method: 'DELETE' })).statusCode, 204)
  t.match((await ask('Lamp')).facts, [{ subject: 'Lamp' }], 'undone')
  await app.activity.flush()
  const entries = (await app.activity.recentOfAccount(ann, 20)).filter(({ kind }) => kind === 'imported')
  t.equal(entries.filter(({ assistant }) => assistant?.connectionId === ann1.connectionId).length, 4)
})

t.test('a local run and a run that was sent agree about the files', async t => {
  const { app, ann, harbour, program } = await buildApi(t)
  await folderOf(await program(ann), harbour).sync(NOTES)
  const files = Object.entries(NOTES).map(([path, text]) => ({
    path,
    size: Buffer.byteLength(text),
    modifiedAt: 1_000,
    open: async () =>
      (async function* () {
        yield Buffer.from(text)
      })(),
  }))
  const leftOut = { hidden: 0, ignored: 0, tooLarge: 0, links: 0, others: 0 }
  const walk = async () => ({ files, leftOut })
  const { report } = await app.safes.folders.sync(ann, harbour, {
    name: 'notes',
    folder: '/home/ann/notes',
    walk,
  })
  t.match(report, { run: null, added: 0, changed: 0, removed: 0 })
})

t.test('files of formats that are not read are left out and counted', async t => {
  const { ann, harbour, program } = await buildApi(t)
  const { sync } = folderOf(await program(ann), harbour)
  const folder = { ...NOTES, 'lamp.psd': 'a picture', 'list.csv': 'a,b,c' }
  const first = await sync(folder)
  t.equal(first.wanted.length, 2)
  t.match(first.report, { added: 2, left_out: { others: 2 } })
  t.match((await sync(folder)).report, { run: null, left_out: { others: 2 } })
})

t.test('a file that cannot be read is reported, and not asked for again before it changes', async t => {
  const { ann, harbour, program } = await buildApi(t)
  const { sync } = folderOf(await program(ann), harbour)
  const good = JSON.stringify({ type: 'entity', name: 'Lamp', entityType: 'thing', observations: [] })
  const first = await sync({ 'a.jsonl': good, 'b.jsonl': 'nonsense' })
  const failed = [{ path: 'b.jsonl', size: 8, bad_lines: [{ line: 1, problem: String }] }]
  t.match(first.report, { added: 1, failed_count: 1, failed })
  const second = await sync({ 'a.jsonl': good, 'b.jsonl': 'nonsense' })
  t.same(second.wanted, [])
  t.match(second.report, { run: null, failed_count: 1, failed })
  const third = await sync({ 'a.jsonl': good, 'b.jsonl': 'Nonsense' })
  t.same(third.wanted, ['Nonsense'], 'although the size is the same')
})

t.test('a run that finds another Safe than it began with says what it needs now', async t => {
  const { ann, harbour, program } = await buildApi(t)
  const { start, sendContents, finish, sync, find } = folderOf(await program(ann), harbour)
  await sync(NOTES)
  const late = (await start({ ...NOTES, 'Ines.md': 'She keeps the lamp.' })).json()
  t.same(late.wanted, [sha256('She keeps the lamp.')])
  await sendContents(late.id, ['She keeps the lamp.'])
  await sync({ 'Lamp.md': 'Another [[Tower]].', 'Tower.md': NOTES['Tower.md'] })
  const reply = await finish(late.id)
  t.match(reply.json(), { status: 409, code: 'contents_missing', wanted: [sha256(NOTES['Lamp.md'])] })
  t.match((await find(late.id)).json(), { status: 'failed', code: 'contents_missing', problem: String })
  await sendContents(late.id, [NOTES['Lamp.md']])
  t.match((await finish(late.id)).json(), { status: 'done', report: { added: 1, changed: 1 } })
})

t.test('what must be confirmed is asked before anything is sent', async t => {
  const { app, ann, harbour, program } = await buildApi(t)
  const { start, sync, finish, url } = folderOf(await program(ann), harbour)
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`Note ${i}.md`, `Text ${i}.`]))
  await sync(many)
  const few = { 'Note 0.md': 'Text 0.' }
  const most = await refused(t, app, 'most', () => start(few))
  t.match(most.json(), { status: 409, code: 'removes_most' })
  const elsewhere = await refused(t, app, 'elsewhere', () => start(many, '2'))
  t.match(elsewhere.json(), { status: 409, code: 'folder_elsewhere', detail: /\/home\/ann\/notes/ })
  const run = (await start(few, '&confirmed=true')).json()
  t.match((await finish(run.id)).json(), { status: 'done', report: { removed: 19 } })
  t.match((await start({}, '&confirmed=no')).json(), { status: 400 })
  t.match((await (await program(ann)).post(`${url}?name=x`)).json(), { status: 415 })
})

t.test('lists of files that are wrong are refused with their line', async t => {
  const { app, ann, harbour, program } = await buildApi(t)
  const { send } = await program(ann)
  const hash = sha256('x')
  const file = (change: object) => JSON.stringify({ path: 'a.md', size: 1, sha256: hash, ...change })
  const cases: [string, number, string][] = [
    ['nonsense', 400, 'Line 1'],
    ['[]', 400, 'Line 1'],
    [`${file({})}\n\n${file({})}`, 400, 'Line 3 of the list of files: “a.md” appears twice.'],
    ...['../a.md', '/a.md', 'a//b.md', './a.md', 'a\\b.md', 'a\nb', '', 'a/..', 'x'.repeat(1001)].map(
      (path): [string, number, string] => [file({ path }), 400, 'path'],
    ),
    [file({ size: 1.5 }), 400, 'size'],
    [file({ size: -1 }), 400, 'size'],
    [file({ size: 2 ** 26 + 1 }), 413, '64 MiB'],
    [file({ sha256: hash.toUpperCase() }), 400, 'sha256'],
    [file({ line_breaks: 'yes' }), 400, 'line_breaks'],
    ['x'.repeat(5_000), 400, 'too long'],
    [Array.from({ length: 50_001 }, (_, i) => file({ path: `${i}.md` })).join('\n'), 413, '50,000'],
    [
      Array.from({ length: 33 }, (_, i) =>
        file({ path: `${i}.md`, size: 2 ** 26, sha256: sha256(`${i}`) }),
      ).join('\n'),
      429,
      '2',
    ],
  ]
  const headers = { 'content-type': 'application/x-ndjson' }
  for (const [payload, status, detail] of cases) {
    const name = payload.slice(0, 60)
    const post = () => send(`/safes/${harbour}/sync-runs?name=n`, { method: 'POST', headers, payload })
    t.match((await refused(t, app, name, post)).json(), { status, detail: new RegExp(detail) }, name)
  }
  const unnamed = () =>
    send(`/safes/${harbour}/sync-runs?name=`, { method: 'POST', headers, payload: file({}) })
  t.match((await refused(t, app, 'no name', unnamed)).json(), { status: 400, code: 'invalid_name' })
})

t.test('contents are checked, and may be resumable uploads', async t => {
  const { app, ann, bob, harbour, program } = await buildApi(t)
  await app.safes.members.share(ann, harbour, bob, 'owner')
  const hers = await program(ann)
  const { start, sendContents, finish, url } = folderOf(hers, harbour)
  const { id } = (await start(NOTES)).json()
  const wrong = await sendContents(id, ['something else', 'x'.repeat(100)], Object.values(NOTES).map(sha256))
  t.match(wrong.json(), { status: 400, code: 'wrong_content' })
  const long = await sendContents(id, ['x'.repeat(100)], [sha256(NOTES['Lamp.md'])])
  t.match(long.json(), { status: 413, code: 'too_large' })
  t.same(readdirSync(join(app.config.dataDir, 'received', id)).sort(), ['manifest', 'wanted'])
  const post = (body: object) => hers.post(`${url}/${id}/contents`, body)
  t.match((await post({ uploads: [] })).json(), { status: 400 })
  t.match((await post({})).json(), { status: 400 })
  const uploads = [
    await hers.upload(harbour, 'Lamp.md', NOTES['Lamp.md']),
    await hers.upload(harbour, 'Tower.md', NOTES['Tower.md']),
  ]
  t.same((await post({ uploads })).json(), { wanted_count: 0 })
  t.same(received(app), [id], 'the uploads are used up')
  const his = folderOf(await program(bob), harbour)
  t.equal((await his.find(id)).statusCode, 404, 'a run of another account')
  t.match((await finish(id)).json(), { status: 'done', report: { added: 2 } })
  t.match((await sendContents(id, ['x'])).json(), { status: 409, code: 'run_running' })
})

t.test('one run is written at a time; one that is given up or expires leaves nothing', async t => {
  const clock = testClock(Date.now())
  const { app, ann, harbour, program } = await buildApi(t, { clock })
  const owner = await program(ann)
  const { start, sendContents, finish, find, url } = folderOf(owner, harbour)
  const first = (await start(NOTES)).json()
  await sendContents(first.id, Object.values(NOTES))
  let walked = () => {}
  const walking = new Promise<void>(resolve => {
    walked = resolve
  })
  const leftOut = { hidden: 0, ignored: 0, tooLarge: 0, links: 0, others: 0 }
  const walk = async () => {
    await walking
    return { files: [], leftOut }
  }
  const other = app.safes.folders.sync(ann, harbour, { name: 'notes', folder: '/home/ann/notes', walk })
  const busy = await finish(first.id)
  t.match(busy.json(), { status: 409, code: 'folder_busy' })
  t.ok(Number(busy.headers['retry-after']) >= 1)
  walked()
  await other
  t.match((await finish(first.id)).json(), { status: 'done' })

  const second = (await start({ 'New.md': 'New.', ...NOTES })).json()
  t.equal((await owner.send(`${url}/${second.id}`, { method: 'DELETE' })).statusCode, 204)
  t.equal((await find(second.id)).statusCode, 404)
  const third = (await start({ 'New.md': 'New.', ...NOTES })).json()
  t.same(received(app), [third.id])
  clock.now += 24 * 3_600_000
  const late = folderOf(await program(ann), harbour)
  t.match((await late.find(third.id)).json(), { status: 410, code: 'upload_expired' })
  await app.uploads.sweep()
  t.same(received(app), [])
})
