import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import t from 'tap'
import { build, testClock } from '../../helper.js'
import { until } from '../../until.js'
import { Browser, hiddenFields } from './browser.js'
import { fact, fill, multipart, openFilled } from './filled.js'
import { add } from './open.js'

type File = [name: string, content: string]

/** Uploads files as the form of the Files page does. */
async function upload(browser: Browser, path: string, files: File[]) {
  const action = `${path}/import`
  const { body } = await browser.get(`${path}/files`)
  return browser.send(multipart(action, hiddenFields(body, action), ...files))
}

/** The rows of the list, as text. */
const rows = (body: string) =>
  [...body.matchAll(/<li[^>]* data-import="(\d+)"[^>]*>(.*?)<\/li>/gs)].map(([, id, html = '']) => ({
    id: Number(id),
    text: html
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
    html,
  }))

const line = (from: string, to: string) => JSON.stringify(fact(from, to))

t.test('several files at once are read side by side, each an import of its own', async t => {
  const { app, browser, path } = await openFilled(t)
  const sent = await upload(browser, path, [
    ['one.jsonl', line('Cy', 'Di')],
    ['two.csv', 'Eve,knows,Flo'],
  ])
  t.match(sent, { statusCode: 303, headers: { location: `${path}/files` } })
  await app.safes.idle()
  const { body } = await browser.get(`${path}/files`)
  t.match(
    rows(body).map(({ text }) => text),
    [
      /^two\.csv ready to review 1 document, 1 relation, 0 passages .* Discard… two\.csv$/,
      /^one\.jsonl ready to review/,
      /^a\.jsonl ready to review/,
      /^a\.jsonl added .* Undo… a\.jsonl$/,
    ],
  )
  t.match(body, /<input id="file" name="file" type="file" multiple required accept="\.jsonl,[^"]*\.zip"/)
  const one = await upload(browser, path, [['three.csv', 'José,knows,Jose\nGil,knows,gil']])
  t.equal(one.headers.location, `${path}/imports/5`, 'a single file leads to its own page')
  await app.safes.idle()
  const page = (await browser.get(`${path}/imports/5`)).body
  t.match(page, /names that differ [^<]*<\/p>\s*<ul class="small">\s*<li><bdi>“José” and “Jose”</)
  t.notMatch(page, '“Gil” and “gil”', 'capitals make no difference to a person')
})

t.test('the page of a staged import says how many documents are new, changed and unchanged', async t => {
  const { app, browser, path, ann, safe } = await openFilled(t)
  const part = (body: string, title: string) => body.match(`<h2>${title}</h2>\\s*<p>([^<]*)</p>`)?.[1]
  const bytes = Readable.from([Buffer.from('Eve,knows,Flo')])
  await app.safes.imports.add(ann.id, safe.id, { source: 'note.csv', bytes, commit: true })
  for (const content of ['Eve,knows,Flo', 'Eve,knows,Gil']) {
    const { headers } = await upload(browser, path, [['note.csv', content]])
    await app.safes.idle()
    const { body } = await browser.get(String(headers.location))
    const isChanged = content.endsWith('Gil')
    t.equal(part(body, 'New'), isChanged ? '1 thing · 1 relation' : undefined, 'without zeros')
    t.equal(part(body, 'Changed')?.startsWith('1 document differs'), isChanged || undefined)
    t.match(part(body, 'Already there'), isChanged ? /^1 thing$/ : /^1 document · 2 things · 1 relation$/)
    t.notMatch(body, '<ul class="counts">', 'one count')
  }
})

t.test('a file of an unknown format is named, and the others are read', async t => {
  const { app, browser, path } = await openFilled(t)
  const sent = await upload(browser, path, [
    ['notes.xyz', 'PK'],
    ['two.csv', 'Eve,knows,Flo'],
    ['README', 'a\0b'],
  ])
  t.equal(sent.statusCode, 400)
  t.match(
    sent.body,
    /role="alert">\s*<p>We can’t read \.xyz files\. Save what they hold as [^<]*\. We can’t read files such as “README”\./,
  )
  t.match(rows(sent.body)[0], { text: /^two\.csv / })
  await app.safes.idle()
  // A file is deleted just after its import has ended.
  await until(() => readdirSync(join(app.config.dataDir, 'uploads')).length === 0)
})

t.test('while a file is read, the page follows it with a script, or reloads slowly', async t => {
  const { app, browser, path, ann, safe } = await openFilled(t)
  const idle = (await browser.get(`${path}/files`)).body
  t.notMatch(idle, /http-equiv="refresh"|data-busy/)
  const bytes = new PassThrough()
  const options = { source: 'slow.jsonl', bytes, bytesTotal: 4_000_000, commit: false }
  const begun = await app.safes.imports.start(ann.id, safe.id, options)
  for (const url of [`${path}/files`, `${path}/imports/${begun.id}`]) {
    const { body } = await browser.get(url)
    t.match(body, /<noscript><meta http-equiv="refresh" content="10"><\/noscript>/, url)
    t.match(body, /data-busy/)
    t.match(body, /<progress max="4000000" value="0" aria-label="[^"]+">/)
    t.match(body, 'Updates automatically; you can leave this page.')
    t.match(body, /role="status" data-status/)
  }
  const undo = `${path}/imports/${begun.id}/undo`
  t.equal((await browser.submit(`${path}/files`, undo)).statusCode, 303, 'it can be stopped')
  bytes.end()
  await app.safes.idle()
  t.match((await browser.get(`${path}/files`)).body, 'slow.jsonl was discarded.', 'which the next page says')
  t.notMatch((await browser.get(`${path}/files`)).body, /slow\.jsonl/)
})

t.test('a rejected file is removed from the list at once; what was added is asked about', async t => {
  const { app, browser, path, committed, staged, ann, safe } = await openFilled(t)
  await upload(browser, path, [['bad.csv', 'only one column']])
  await app.safes.idle()
  const [bad] = rows((await browser.get(`${path}/files`)).body)
  t.match(bad, { text: /^bad\.csv rejected .* Remove from the list bad\.csv$/ })
  const removed = await browser.submit(`${path}/files`, `${path}/imports/${bad?.id}/undo`)
  t.match(removed, { statusCode: 303, headers: { location: `${path}/files` } })
  t.match((await browser.get(`${path}/files`)).body, 'bad.csv was discarded.')
  t.notMatch((await browser.get(`${path}/files`)).body, /bad\.csv/)

  const ask = (await browser.get(`${committed}/undo`)).body
  t.match(ask, /<h1>Undo this import\?.*a\.jsonl.*1 document<.*2 things.*1 relation</s)
  const discard = (await browser.get(`${staged}/undo`)).body
  t.match(discard, /<h1>Discard this file\?.*a\.jsonl.*2 things/s)
  t.equal((await app.safes.find(ann.id, safe.id))?.counts.relations, 1, 'asking changes nothing')
  t.equal((await browser.submit(`${staged}/undo`, `${staged}/undo`)).statusCode, 303)
  t.equal((await browser.submit(`${committed}/undo`, `${committed}/undo`)).statusCode, 303)
  t.equal((await app.safes.find(ann.id, safe.id))?.counts.relations, 0)
})

t.test('the list is paged', async t => {
  const { app, browser, path, ann, safe } = await openFilled(t)
  for (let i = 0; i < 50; i++) await add(app, ann.id, safe.id, `${i}.jsonl`, fact(`A${i}`, 'B'))
  const first = (await browser.get(`${path}/files`)).body
  t.equal(rows(first).length, 50)
  const more = first.match(/href="(\/safes\/\w+\/files\?before=\d+)"/)?.[1] ?? ''
  const second = (await browser.get(more)).body
  t.same(
    rows(second).map(({ id }) => id),
    [2, 1],
  )
  t.match(second, `href="${path}/files"`)
})

t.test('an undone import is restored from the Files page (ADR 45)', async t => {
  const clock = testClock()
  const app = await build(t, { clock })
  const browser = new Browser(app)
  const { path, committed, ann, safe } = await fill(app, browser)
  await browser.submit(`${committed}/undo`, `${committed}/undo`)
  const { body } = await browser.get(`${path}/files`)
  t.match(
    body,
    /<h2 id="undone">Undone<\/h2>.*a\.jsonl.*1 document, 2 things, 1 relation, 0 passages · can be restored until <time datetime="2026-01-08T00:00:00.000Z">8 Jan 2026, 00:00 UTC/s,
  )
  t.match(body, /Restore <span class="hidden-label">a\.jsonl<\/span>/)
  const restored = await browser.submit(`${path}/files`, `${committed}/restore`)
  t.match(restored, { statusCode: 303, headers: { location: `${path}/files` } })
  t.equal((await app.safes.find(ann.id, safe.id))?.counts.relations, 1)
  t.notMatch((await browser.get(`${path}/files`)).body, /id="undone"/)

  await browser.submit(`${committed}/undo`, `${committed}/undo`)
  await add(app, ann.id, safe.id, 'again.jsonl', fact('Ann', 'Bo'))
  const late = await browser.submit(`${path}/files`, `${committed}/restore`)
  t.equal(late.statusCode, 409)
  t.match(late.body, /role="alert">\s*<p>The Safe contains this file again, as import 3\./)
  clock.now += 8 * 86_400_000
  await browser.signIn('ann@example.org')
  t.notMatch((await browser.get(`${path}/files`)).body, /id="undone"/)
})

t.test('a Safe is removed by typing its name, and restored from the Safes page (ADR 45)', async t => {
  const { app, browser, path, safe, ann } = await openFilled(t)
  const page = (await browser.get(`${path}/remove`)).body
  t.match(page, /<h1>Remove this Safe\?.*2 things.*1 relation<.*1 other person loses access\./s)
  t.match(page, /<label for="name">Type the name of the Safe to confirm<\/label>/)
  const wrong = await browser.submit(`${path}/remove`, `${path}/remove`, { name: 'Houshold' })
  t.equal(wrong.statusCode, 400)
  t.match(wrong.body, /role="alert">\s*<p>That is not the name of this Safe\./)
  t.ok(await app.safes.find(ann.id, safe.id))
  const removed = await browser.submit(`${path}/remove`, `${path}/remove`, { name: ' Household ' })
  t.match(removed, { statusCode: 303, headers: { location: '/safes' } })

  t.equal((await browser.get(path)).statusCode, 404)
  const { body } = await browser.get('/safes')
  t.match(
    body,
    /<h2 id="removed">Removed<\/h2>.*Household.*2 things · 1 relation · 0 passages · can be restored until/s,
  )
  const restored = await browser.submit('/safes', `${path}/restore`)
  t.match(restored, { statusCode: 303, headers: { location: path } })
  t.equal((await browser.get(path)).statusCode, 200)
})

t.test('a synced folder is one source with its last run, what changed, and Undo', async t => {
  const { app, browser, path, safe, ann } = await openFilled(t)
  const text = async (url: string) =>
    (await browser.get(url)).body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
  t.notMatch(await text(`${path}/files`), /Synced folders/)
  const files = new Map([
    ['Ada.md', 'Knows [[Bo]].'],
    ['Bad.md', 'a\0b'],
  ])
  const sync = () =>
    app.safes.folders.sync(ann.id, safe.id, {
      name: 'Vault',
      folder: '/home/ann/vault',
      walk: folderOf(files),
    })
  await sync()
  files.set('Ada.md', 'Knows [[Cy]] and [[Di]].').set('Cy.md', 'Text.')
  const { item } = await sync()
  await app.safes.idle()
  const page = await text(`${path}/files`)
  t.match(
    page,
    /Synced folders Vault 1 file could not be read 2 files · last run .* UTC 1 file added, 1 file changed/,
  )
  t.match(page, /Left out: 3 hidden, 2 in \.gitignore \/home\/ann\/vault/)
  t.match(
    page,
    /Bad\.md, line 1: The file contains NUL characters, so it is not text\. Undo the last change… Vault/,
  )
  t.match(
    rows((await browser.get(`${path}/files`)).body),
    [{ text: /a\.jsonl/ }, { text: /a\.jsonl/ }],
    'runs are not listed as files',
  )
  const undo = `${path}/imports/${item?.id}/undo`
  t.match(await text(undo), /Undo the last change of this folder\? .* 1 file added 1 file changed/)
  t.match(await browser.submit(undo, undo, {}), { statusCode: 303 })
  const after = await text(`${path}/files`)
  t.match(after, /Vault .* 1 file · last run/)
  t.match(after, /Undone Vault 1 file added, 1 file changed · can be restored/)
})

const folderOf = (files: Map<string, string>) => async () => ({
  files: Array.from(files, ([path, text]) => ({
    ...{ path, size: text.length, modifiedAt: text.length },
    open: async () => Readable.from([Buffer.from(text)]),
  })),
  leftOut: { hidden: 3, ignored: 2, tooLarge: 0, links: 0, others: 0 },
})

t.test('files sent by the page take room beside those of the API until they have been read', async t => {
  const { app, browser, path, ann, safe } = await openFilled(t)
  const held = () => app.database.read.selectFrom('uploads').select('bytes').execute()
  await upload(browser, path, [['one.csv', 'a,b,c']])
  await app.safes.idle()
  await until(async () => (await held()).length === 0)
  const row = { kind: 'file', account_id: ann.id, safe_id: safe.id, name: 'large' } as const
  await app.uploads.reserve({ ...row, bytes: 2 * 1024 ** 3 })
  const sent = await upload(browser, path, [['two.csv', 'a,b,d']])
  t.equal(sent.statusCode, 429)
  t.match(sent.body, /together 2.1 GB/)
  t.equal((await held()).length, 1)
  t.strictSame(readdirSync(join(app.config.dataDir, 'uploads')), [], 'nothing of it was kept')
})

t.test('of more files than may wait, those beyond are refused and the others read', async t => {
  const { app, browser, path, ann, safe } = await openFilled(t)
  const silent = Array.from({ length: 20 }, () => new Readable({ read() {} }))
  for (const bytes of silent)
    await app.safes.imports.start(ann.id, safe.id, { source: 'slow.csv', bytes, commit: false })
  const sent = await upload(browser, path, [
    ['read.csv', 'a,b,c'],
    ['refused.csv', 'a,b,d'],
  ])
  t.equal(sent.statusCode, 429)
  t.match(sent.body, /20 of your files are waiting/)
  t.match(sent.body, /read\.csv/)
  t.notMatch(sent.body, /refused\.csv/)
  for (const bytes of silent) bytes.push(null)
  await app.safes.idle()
  // A refused file disappears while its answer is already under way.
  await until(async () => readdirSync(join(app.config.dataDir, 'uploads')).length === 0)
})
