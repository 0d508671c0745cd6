import { Readable } from 'node:stream'
import t from 'tap'
import { refused } from '../../written.js'
import { Browser, hiddenFields, PASSWORD } from './browser.js'
import { open } from './open.js'

const PATH = 'Voyage.md'

t.test('issue 54: a document lists its versions, their differences, and restores one', async t => {
  const { app, browser: ann, id: owner } = await open(t)
  const { safes } = app
  const { id } = await safes.create(owner, 'Harbour')
  const at = `/safes/${id}/versions`
  const page = `${at}?path=${PATH}`
  const upload = (text: string) =>
    safes.imports.add(owner, id, {
      ...{ source: PATH, format: 'markdown', bytes: Readable.from([Buffer.from(text)]), commit: true },
    })
  const found = () => safes.documents.find(owner, id, PATH)
  const write = async (text: string, by?: string) =>
    safes.notes.write(owner, id, [{ path: PATH, text, version: (await found()).contentHash }], by)
  const textOf = async () => (await safes.documents.read(owner, id, await found())).text
  await upload('Ten kilos of flour.\n')
  t.match((await ann.get(page)).body, />current</)
  t.notMatch((await ann.get(page)).body, 'id="difference"', 'of a single version')
  await upload('Eleven kilos of flour.\n')
  await write('Twelve kilos of flour.\n')
  await write('Thirteen kilos of flour.\n', 'suggested by Claude, 3 May 2026')
  t.match((await ann.get(`/safes/${id}/documents/${PATH}`)).body, `href="${page}"`)
  const shown = (await ann.get(page)).body
  for (const text of [
    'Accepted, suggested by Claude, 3 May 2026 · ann@example.org',
    'Edited here · ann@example.org',
    'Imported with Voyage.md · ann@example.org',
  ])
    t.match(shown.replace(/<[^>]*>/g, ''), text)
  t.match(shown, /<mark>Twelve<\/mark>[\s\S]*<mark>Thirteen<\/mark>/, 'the last change')
  const versions = await safes.versions.list(owner, id, PATH)
  t.strictSame(
    versions.map(({ kind, isCurrent }) => [kind, isCurrent]),
    [
      ['proposal', true],
      ['edit', false],
      ['import', false],
      ['import', false],
    ],
  )
  const [newest, , , first] = versions.map(version => version.id)
  const between = (await ann.get(`${page}&from=${first}&to=${newest}`)).body
  t.match(between, /<mark>Ten<\/mark>[\s\S]*<mark>Thirteen<\/mark>/, 'any two')
  t.match((await ann.get(`${page}&from=${first}&to=${first}`)).statusCode, 200)
  for (const wrong of [`${page}&from=99`, `${at}?path=None.md`])
    t.equal((await ann.get(wrong)).statusCode, 404)

  const form = hiddenFields(shown, `${at}/restore`)
  const restored = await ann.post(`${at}/restore`, { ...form, version: String(first) })
  t.match(restored, { statusCode: 303, headers: { location: `/safes/${id}/documents/${PATH}` } })
  t.equal(await textOf(), 'Ten kilos of flour.\n')
  const after = (await ann.get(`/safes/${id}/documents/${PATH}`)).body
  t.match(after, 'Version restored.')
  const stale = await refused(t, app, 'seen before', () =>
    ann.post(`${at}/restore`, { ...form, version: String(newest) }),
  )
  t.equal(stale.statusCode, 409, 'the document has changed since the page was opened')
  t.equal((await ann.post(`/safes/${id}/undo`, hiddenFields(after, `/safes/${id}/undo`))).statusCode, 303)
  t.equal(await textOf(), 'Thirteen kilos of flour.\n', 'restoring is undone like everything')
})

t.test('issue 54: readers see versions and restore none; strangers see none', async t => {
  const { app, browser: ann, id: owner } = await open(t)
  const { id } = await app.safes.create(owner, 'Harbour')
  await app.safes.notes.add(owner, id, 'Plan', 'One.')
  const path = 'Notes/Plan.md'
  const { contentHash } = await app.safes.documents.find(owner, id, path)
  await app.safes.notes.edit(owner, id, { path, title: 'Plan', text: 'Two.', version: contentHash })
  const page = `/safes/${id}/versions?path=${encodeURIComponent(path)}`
  const fields = hiddenFields((await ann.get(page)).body, `/safes/${id}/versions/restore`)
  const [, older] = await app.safes.versions.list(owner, id, path)
  const bob = await app.accounts.add('bob@a.example', PASSWORD)
  const browser = new Browser(app)
  await browser.signIn('bob@a.example')
  t.equal((await browser.get(page)).statusCode, 404)
  await app.safes.members.share(owner, id, bob.id, 'reader')
  const shown = await browser.get(page)
  t.equal(shown.statusCode, 200)
  t.notMatch(shown.body, /Restore/)
  const token = browser.tokenFor(`/safes/${id}/versions/restore`)
  const send = () =>
    browser.post(`/safes/${id}/versions/restore`, { ...fields, _csrf: token, version: String(older?.id) })
  t.equal((await refused(t, app, 'a reader', send)).statusCode, 404)
})

t.test('issue 54: a removed document leads to its versions, and one of them restores it', async t => {
  const { app, browser: ann, id: owner } = await open(t)
  const { safes } = app
  const { id } = await safes.create(owner, 'Harbour')
  const { path } = await safes.notes.add(owner, id, 'Crane', 'It lifts two tons.')
  const at = `/safes/${id}/documents/${encodeURI(path)}`
  await safes.notes.remove(owner, id, path)
  t.match((await ann.get(`/safes/${id}`)).body, `href="${at}"`, 'the latest changes name it')
  const away = await ann.get(at)
  t.equal(away.statusCode, 303)
  const versions = await ann.get(String(away.headers.location))
  t.match(versions.body, /This document was removed/)
  t.match(versions.body, 'It lifts two tons.')
  const form = hiddenFields(versions.body, `/safes/${id}/versions/restore`)
  const [version = ''] = /name="version" value="(\d+)"/.exec(versions.body)?.slice(1) ?? []
  const restored = await ann.post(`/safes/${id}/versions/restore`, { ...form, version })
  t.match(restored, { statusCode: 303, headers: { location: at } })
  t.match((await ann.get(at)).body, 'It lifts two tons.')
  t.equal((await ann.get(`/safes/${id}/documents/Never.md`)).statusCode, 404)
  const files = (await ann.get(`/safes/${id}/files?runs=1`)).body.replace(/<[^>]*>/g, '')
  t.match(files, /run 1, 1 file added · ann@example\.org ·/, 'who, and which run')
  t.notMatch((await ann.get(`/safes/${id}/files`)).body, /run 1/)
})
