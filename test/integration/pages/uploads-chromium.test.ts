import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { rootDir } from '../../../platform/common/package.js'
import { dataDir } from '../../data-dir.js'
import { openSignedIn } from './in-chromium.js'

/** A folder on disk with these files. */
function folderWith(t: Test, name: string, files: Record<string, string | Uint8Array>): string {
  const folder = join(dataDir(t), name)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

/** Drops the files at these paths onto a page, as a person does. */
async function drop(page: Page, ...paths: string[]): Promise<void> {
  const client = await page.context().newCDPSession(page)
  const data = { items: [], files: paths, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await client.send('Input.dispatchDragEvent', { type, x: 200, y: 300, data })
}

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAP8AAP8AACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==', 'base64')

const NOTES = {
  'Home.md': '# Home\n\nThe boiler is serviced by [[Weiß]].\n\n![](pictures/dot.gif)\n',
  'people/Weiß.md': '# Weiß\n\nA plumber.\n',
  'people/Ωμέγα.md': '# Ωμέγα\n\nΦίλος.\n',
  'people/山田.md': '# 山田\n\n友人。\n',
  'pictures/dot.gif': PIXEL,
  'broken.pdf': 'not a PDF',
  '.git/config': '[core]',
}

t.test('a folder that is dropped on an empty Home becomes a Safe with all of its files', async t => {
  const { app, ann, page, complaints } = await openSignedIn(t)
  await page.goto('/')
  t.ok(await page.getByText('Drop files or a folder here').isVisible())
  await drop(page, folderWith(t, 'Household', NOTES))
  await page.waitForURL(/\/safes\/\w{22}\/imports\/1$/)
  await page.getByRole('heading', { name: 'Added' }).waitFor()
  const [safe] = await app.safes.readableBy(ann.id)
  t.equal(safe?.name, 'Household')
  const text = await page.innerText('main')
  for (const part of ['broken.pdf', 'hidden']) t.match(text, part)
  t.match(await page.locator('[data-size]').innerText(), /^4 documents/, 'the head of the page follows')
  await page.goto(`/safes/${safe?.id}/documents/people/${encodeURIComponent('山田.md')}`)
  t.match(await page.innerText('main'), '友人。')
  await page.goto(`/safes/${safe?.id}/documents/Home.md`)
  await page.waitForFunction('document.querySelector("article img").naturalWidth === 1')
  t.same(complaints, [])
})

/** Ann's empty Safe, and the requests of the browser to it: the offset of each part. */
async function openSafe(t: Test) {
  const opened = await openSignedIn(t)
  const { id } = await opened.app.safes.create(opened.ann.id, 'Household')
  const offsets: number[] = []
  opened.page.on('request', request => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  return { ...opened, path: `/safes/${id}`, id, offsets }
}

/** The page stops trying by itself, before the test clicks. */
const NO_RETRIES =
  'const soon = setTimeout; window.setTimeout = (run, ms = 0) => (ms < 1000 ? soon(run, ms) : 0)'

const LARGE = { 'large.md': 'A long note about the boiler.\n\n'.repeat(200_000), 'small.md': 'A note.' }

const bar = (page: Page) => page.getByRole('region', { name: 'Uploads' })

t.test('an upload goes on after a change of page, and its bar is there', async t => {
  const { page, path, offsets, app, ann, id } = await openSafe(t)
  await page.goto(`${path}/documents`)
  let parts = 0
  let hold = () => {}
  const held = new Promise<void>(resolve => {
    hold = resolve
  })
  await page.route('**/uploads/*', async route => {
    if (route.request().method() === 'PATCH' && ++parts === 2) hold()
    else await route.continue()
  })
  await drop(page, folderWith(t, 'Notes', LARGE))
  await held
  await page.unroute('**/uploads/*')
  await page.goto(`${path}/settings`)
  await bar(page).getByText('Notes has arrived.').waitFor()
  t.ok((offsets[2] ?? 0) >= 2 ** 21, 'what has arrived is not sent again')
  await bar(page).getByRole('link', { name: 'See what arrived' }).click()
  await page.getByRole('heading', { name: 'Ready to review' }).waitFor()
  t.equal(await bar(page).isVisible(), false, 'it is said once')
  t.equal((await app.safes.imports.find(ann.id, id, 1))?.documents, 2, 'one import of both files')
})

t.test('after a lost connection, again is one click', async t => {
  const { page, path, offsets } = await openSafe(t)
  await page.addInitScript(NO_RETRIES)
  await page.goto(path)
  let parts = 0
  await page.route('**/uploads/*', route =>
    route.request().method() === 'PATCH' && ++parts > 1 ? route.abort() : route.continue(),
  )
  await drop(page, folderWith(t, 'Notes', LARGE))
  await bar(page).getByText('The connection was lost. The upload continues where it stopped.').waitFor()
  await page.evaluate(readFileSync(join(rootDir, 'node_modules/axe-core/axe.min.js'), 'utf8'))
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    t.same(await page.evaluate('axe.run(".uploads").then(found => found.violations)'), [], colorScheme)
  }
  await page.unroute('**/uploads/*')
  offsets.length = 0
  await bar(page).getByRole('button', { name: 'Try again' }).click()
  await bar(page).getByText('Notes has arrived.').waitFor()
  t.equal(offsets[0], 2 ** 21)
})

t.test('with a full disk the reason is shown, and the upload can be continued or stopped', async t => {
  const { app, page, path } = await openSafe(t)
  await page.addInitScript(NO_RETRIES)
  await page.goto(path)
  const { append } = app.uploads
  app.uploads.append = async () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  await drop(page, folderWith(t, 'Notes', { 'a.md': 'A note.' }))
  await bar(page).getByText('disk').waitFor()
  app.uploads.append = append
  await bar(page).getByRole('button', { name: 'Try again' }).click()
  await bar(page).getByText('Notes has arrived.').waitFor()
  await bar(page).getByRole('button', { name: 'Close' }).click()
  await bar(page).waitFor({ state: 'hidden' })
  await page.reload()
  t.equal(await bar(page).isVisible(), false)
})

t.test('each of a few loose files is an import of its own; one that is refused is named', async t => {
  const { page, path, app, ann, id } = await openSafe(t)
  await page.goto(path)
  const folder = folderWith(t, 'x', { 'a.csv': 'a,knows,b', 'b.md': 'A note.', 'c.xyz': 'A' })
  await drop(page, ...['a.csv', 'b.md', 'c.xyz'].map(name => join(folder, name)))
  await bar(page).getByText('2 files have arrived.').waitFor()
  t.match(await bar(page).innerText(), /c\.xyz: .*\.xyz/)
  t.same((await app.safes.imports.list(ann.id, id)).map(({ source }) => source).sort(), ['a.csv', 'b.md'])
})

t.test('21 files of the form are one archive, and its options are kept', async t => {
  const { page, path, app, ann, id, complaints } = await openSafe(t)
  await page.goto(`${path}/import`)
  const names = Array.from({ length: 21 }, (_, at) => `note-${at}.md`)
  const folder = folderWith(t, 'x', Object.fromEntries(names.map(name => [name, `# ${name}\n\nText.`])))
  const input = page.locator('input[name=file]')
  await input.setInputFiles(names.map(name => join(folder, name)))
  await page.getByRole('button', { name: 'Upload and review' }).click()
  await page.waitForURL(/\/imports\/1$/)
  await page.getByRole('heading', { name: 'Ready to review' }).waitFor()
  t.match(await app.safes.imports.find(ann.id, id, 1), { source: '21 files', documents: 21 })
  await page.goto(`${path}/import`)
  await page.getByText('Options').click()
  await page.getByLabel('Format').selectOption('csv')
  await input.setInputFiles(join(folderWith(t, 'y', { 't.txt': 'name,age\nAda,36\n' }), 't.txt'))
  await page.getByRole('button', { name: 'Upload and review' }).click()
  await page.waitForURL(/\/imports\/2$/)
  t.equal((await app.safes.imports.find(ann.id, id, 2))?.format, 'csv')
  t.same(complaints, [])
})

t.test('files are taken on the pages of own Safes only', async t => {
  const { app, page, path, ann } = await openSafe(t)
  const ben = await app.accounts.add('ben@example.org', 'correct horse battery')
  const shared = await app.safes.create(ben.id, 'Theirs')
  await app.safes.members.share(ben.id, shared.id, ann.id, 'reader')
  for (const [address, expected] of [
    [path, true],
    [`/safes/${shared.id}`, false],
    ['/account', false],
  ] as const) {
    await page.goto(address)
    const taken = await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['a'], 'a.md'))
      const event = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true })
      return !document.body.dispatchEvent(event)
    })()`)
    t.equal(taken, expected, address)
  }
})
