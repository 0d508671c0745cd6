import { PassThrough } from 'node:stream'
import t, { type Test } from 'tap'
import { openSignedIn } from './in-chromium.js'

/** The Files page of a Safe. */
async function open(t: Test) {
  const opened = await openSignedIn(t)
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

t.test('files dropped on the page are chosen, and uploaded with the button', async t => {
  const { page, complaints, files } = await open(t)
  await page.goto(files)
  t.ok(await page.getByText('You can also drop files on this page.').isVisible())
  await page.evaluate(`
    const dataTransfer = new DataTransfer()
    for (const name of ['a.csv', 'b.csv']) dataTransfer.items.add(new File([name + ',knows,Bo'], name))
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }))
  `)
  t.equal(await page.evaluate('document.getElementById("file").files.length'), 2)
  await page.getByRole('button', { name: 'Upload and review' }).click()
  await page.getByRole('link', { name: 'Discard… a.csv' }).waitFor()
  await page.getByRole('link', { name: 'Discard… b.csv' }).waitFor()
  t.same(complaints, [])
})
