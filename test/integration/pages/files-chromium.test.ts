import { PassThrough, Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { once } from '../../once.js'
import { zip } from '../../zip.js'
import { openSignedIn, openSite } from './in-chromium.js'

const site = once(() => openSite(t))

/** The Files page of a Safe. */
async function open(t: Test) {
  const opened = await openSignedIn(t, {}, await site())
  const safe = await opened.app.safes.create(opened.ann.id, 'Household')
  return { ...opened, safe, files: `/safes/${safe.id}/files` }
}

t.test('the list follows a file that is being read, without reloading, and announces it', async t => {
  const { app, ann, safe, page, complaints, files } = await open(t)
  const bytes = new PassThrough()
  const line = (to: string) => `{"type":"relation","from":"Ann","to":"${to}","relationType":"knows"}\n`
  bytes.write(line('Bo'))
  const options = { source: 'slow.jsonl', bytes, bytesTotal: 2 * line('Bo').length, commit: false }
  await app.safes.imports.start(ann.id, safe.id, options)
  await page.goto(files)
  await page.evaluate('window.isSamePage = true')
  await page.getByRole('button', { name: 'Stop reading slow.jsonl' }).focus()
  const poll = () => page.waitForResponse(response => response.url().endsWith(files))
  for (let polls = 0; polls < 2; polls++) await poll()
  t.match(await page.evaluate('document.activeElement.textContent'), /Stop reading/, 'it leaves the focus')
  bytes.end(line('Cy'))
  await page.getByText('ready to review', { exact: true }).waitFor()
  t.equal(await page.evaluate('window.isSamePage'), true)
  t.equal(await page.getByRole('status').textContent(), 'slow.jsonl: Ready to review')
  t.equal(await page.evaluate('document.activeElement.dataset.import'), '1', 'the focus stays at the file')
  t.same(complaints, [])
})

t.test('the documents of a Safe say what is being read, and appear when it is (issue 57)', async t => {
  const { app, ann, safe, page, complaints } = await open(t)
  const bytes = new PassThrough()
  bytes.write('# Cellar\n\nThe oil is in the cellar.\n')
  const options = { source: 'Cellar.md', bytes, bytesTotal: 100, commit: true }
  await app.safes.imports.start(ann.id, safe.id, options)
  await page.goto(`/safes/${safe.id}/documents`)
  await page.getByRole('heading', { name: 'Being read' }).waitFor()
  t.match(await page.locator('[data-import]').textContent(), /Cellar\.md/)
  bytes.end()
  await page.getByRole('link', { name: 'Cellar' }).waitFor()
  t.equal(await page.getByRole('heading', { name: 'Being read' }).count(), 0)
  t.same(complaints, [])
})

t.test('formulas are drawn by the browser, and pages need no styles for them (issue 57.2)', async t => {
  const { app, ann, safe, page, complaints } = await open(t)
  const text =
    '# Light\n\nSeen from $d = 3.57\\sqrt{h}$ away.\n\n$$\n\\begin{cases}\\frac{1}{2}&a\\\\b&\\boxed{c}\\end{cases}\n$$\n'
  const source = 'Light.md'
  await app.safes.imports.add(ann.id, safe.id, { source, bytes: Readable.from([text]), commit: true })
  await page.goto(`/safes/${safe.id}/documents/Light.md`)
  t.equal(await page.locator('math').count(), 2)
  t.equal(await page.locator('[style]').count(), 0)
  const heights = await page
    .locator('math')
    .evaluateAll(all => all.map(one => one.getBoundingClientRect().height))
  t.ok((heights[1] ?? 0) > 1.5 * (heights[0] ?? 0), 'a fraction and two rows are higher than a line')
  t.equal(await page.locator('annotation').first().isVisible(), false)
  t.same(complaints, [])
})

/** Draws a bar of 40 pixels, and tries to run and to load everything that a drawing can. */
const HOSTILE = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" onload="document.title = 'ran'">
  <style>@font-face { font-family: f; src: url(/loaded.woff) } text { font-family: f }
    .r { fill: url(#red) } .c { fill: url(/loaded.svg#a); mask: url(//127.0.0.1/loaded.svg#b) }</style>
  <linearGradient id="red"><stop stop-color="red"/></linearGradient><circle class="c" r="9"/><text>f</text>
  <image id="dot" href="data:image/gif;base64,R0lGODlhAQABAIAAAP8AAP8AACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==" width="9" height="9"/><script>document.title = 'ran'</script>
  <rect class="r" width="40" height="20"/><image href="/loaded.png" width="9" height="9"/>
  <foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="/loaded"/></foreignObject></svg>`
const IMPORTING = `<svg xmlns="http://www.w3.org/2000/svg"><style>@import url("/loaded.css");</style><rect width="9" height="9"/></svg>`

t.test('a drawing in SVG is shown, and neither runs nor loads anything', async t => {
  const { app, ann, safe, page } = await open(t)
  const files = zip([
    { name: 'Home.md', content: '![[bar.svg]] ![[importing.svg]]' },
    { name: 'bar.svg', content: HOSTILE },
    { name: 'importing.svg', content: IMPORTING },
  ])
  const bytes = Readable.from([files])
  await app.safes.imports.add(ann.id, safe.id, { source: 'notes.zip', bytes, commit: true })
  const asked: string[] = []
  page.on('requestfinished', request => asked.push(new URL(request.url()).pathname))
  await page.goto(`/safes/${safe.id}/documents/Home.md`)
  t.equal(
    await page.evaluate(
      'document.querySelector("article img").decode().then(() => document.querySelector("article img").naturalWidth)',
    ),
    40,
  )
  await page.goto(`/safes/${safe.id}/images/importing.svg`)
  await page.goto(`/safes/${safe.id}/images/bar.svg`)
  t.equal(await page.evaluate('document.documentElement.getAttribute("width")'), '40')
  t.not(await page.title(), 'ran')
  const dot = "document.querySelector('#dot')"
  t.equal(await page.evaluate(`${dot}.decode().then(() => 'shown', String)`), 'shown', 'what is in it')
  t.same(
    asked.filter(path => path.startsWith('/loaded')),
    [],
  )
})
