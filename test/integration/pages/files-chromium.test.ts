import { PassThrough } from 'node:stream'
import t, { type Test } from 'tap'
import { launchChromium } from '../../chromium.js'
import { freePort } from '../../free-port.js'
import { build } from '../../helper.js'
import { PASSWORD } from './browser.js'

/** The Files page of a Safe, opened by its owner. */
async function open(t: Test) {
  const port = await freePort()
  const baseURL = `http://localhost:${port}`
  const app = await build(t, { env: { BASE_URL: baseURL } })
  await app.listen({ port, host: '127.0.0.1' })
  const browser = await launchChromium()
  t.teardown(() => browser.close())
  const ann = await app.accounts.add('ann@example.org', PASSWORD)
  const safe = await app.safes.create(ann.id, 'Household')
  const page = await (await browser.newContext({ baseURL })).newPage()
  const complaints: string[] = []
  page.on('console', message => void (message.type() === 'error' && complaints.push(message.text())))
  page.on('pageerror', error => void complaints.push(error.message))
  await page.goto('/login')
  await page.getByLabel('E-mail address').fill('ann@example.org')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/$/)
  return { app, ann, safe, page, complaints, files: `/safes/${safe.id}/files` }
}

t.test('the list follows a file that is being read, without reloading, and announces it', async t => {
  const { app, ann, safe, page, complaints, files } = await open(t)
  const bytes = new PassThrough()
  const line = (to: string) => `{"type":"relation","from":"Ann","to":"${to}","relationType":"knows"}\n`
  bytes.write(line('Bo'))
  const options = { source: 'slow.jsonl', bytes, bytesTotal: 2 * line('Bo').length, commit: false }
  await app.safes.startImport(ann.id, safe.id, options)
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
