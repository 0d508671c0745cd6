import { Readable } from 'node:stream'
import { build as bundle } from 'esbuild'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { openBrowser } from './browser.js'
import { listen } from './service.js'
import { serve } from './web-server.js'

const HOSTILE = '<img src=x onerror="parent.hacked=1">'

const lines = [
  { type: 'entity', name: 'Ada', entityType: 'person', observations: ['Ada designed the crane.'] },
  { type: 'entity', name: 'Harbour', entityType: 'project', observations: [] },
  { type: 'entity', name: 'Bob', entityType: 'person', observations: [] },
  { type: 'relation', from: 'Ada', to: 'Harbour', relationType: 'works on' },
  { type: 'relation', from: 'Bob', to: 'Harbour', relationType: 'leads' },
  { type: 'relation', from: 'Ada', to: 'Bob', relationType: 'knows' },
  { type: 'relation', from: 'Harbour', to: HOSTILE, relationType: 'owns' },
]

/** The service, and the page of a host at another origin. */
async function open(t: Test) {
  const { app, baseUrl } = await listen(t)
  const { outputFiles } = await bundle({
    entryPoints: ['test/e2e/mcp-app/host.js'],
    bundle: true,
    write: false,
    format: 'esm',
    charset: 'utf8',
  })
  const script = outputFiles[0]?.text
  const origin = await serve(t, (request, response) => {
    const isScript = request.url === '/host.js'
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript ? script : '<!doctype html><title>Host</title><script type="module" src="/host.js"></script>',
    )
  })
  const ada = await app.accounts.add('ada@safes.example', 'a password for the tests', 'admin')
  const safe = await app.safes.create(ada.id, 'Harbour notes')
  const bytes = Readable.from([lines.map(line => JSON.stringify(line)).join('\n')])
  await app.safes.imports.add(ada.id, safe.id, { source: 'memory.jsonl', bytes, commit: true })
  const { accessToken: token } = await app.oauth.issueTokens(ada.id, { clientName: 'test', grant: {} })
  const page = await (await openBrowser(t, { viewport: { width: 800, height: 800 } })).newPage()
  const errors: string[] = []
  page.on('pageerror', error => void errors.push(error.message))
  await page.goto(origin)
  await page.waitForFunction('"show" in window')
  const show = (more: object) =>
    page.evaluate(`show(${JSON.stringify({ url: `${baseUrl}/mcp/v1`, token, ...more })})`)
  return { page, show, errors, safe }
}

const names = (page: Page) => page.frameLocator('#app').locator('#picture a text').allTextContents()
const status = (page: Page) => page.frameLocator('#app').locator('#status')

for (const mode of ['legacy', 'auto']) {
  t.test(`N14 the official host shows the picture of an answer and expands it (${mode})`, async t => {
    const { page, show, errors } = await open(t)
    const about = await show({ mode, question: { query: 'Ada' }, theme: 'dark' })
    t.match(about, {
      era: mode === 'auto' ? 'modern' : 'legacy',
      capabilities: { resources: {} },
      mimeType: 'text/html;profile=mcp-app',
    })
    const app = page.frameLocator('#app')
    await app.locator('svg.picture').waitFor()
    t.match(await status(page).innerText(), 'Ada, in the Safe “Harbour notes”')
    t.same((await names(page)).sort(), ['Bob', 'Harbour'])
    t.equal(await app.locator('html').getAttribute('data-theme'), 'dark')

    await app.getByRole('link', { name: 'Harbour' }).click()
    await app.getByText('Harbour, in the Safe').waitFor()
    t.match((await names(page)).sort(), [HOSTILE, 'Ada', 'Bob'], 'names are text')
    await app.getByRole('button', { name: 'Back' }).click()
    await app.getByText('Ada, in the Safe').waitFor()
    t.ok(await app.getByRole('button', { name: 'Back' }).isHidden())

    t.equal(await page.evaluate('window.hacked'), undefined)
    t.ok(await page.evaluate('heights.length > 0'), 'the host learns the height')
    t.same(errors, [])
  })
}

t.test(
  'N14 the page shows paths, the whole Safe and answers without relations, and needs no tools',
  async t => {
    const { page, show, errors, safe } = await open(t)
    const app = page.frameLocator('#app')
    const mode = 'auto'
    await show({ mode, question: { from: 'Ada', to: HOSTILE, safe: safe.id }, theme: 'light' })
    await app.getByText(`Ada → ${HOSTILE}, in the Safe`).waitFor()
    await show({ mode, question: {}, theme: 'light' })
    await app.getByText('Harbour notes, in the Safe').waitFor()
    t.same((await names(page)).includes('Ada'), true)
    await show({ mode, question: { query: 'zebra' } })
    await app.getByText('Nothing in this Safe matches: zebra').waitFor()
    await show({ mode, question: { mode: 'walk' } })
    await app.getByText('steps').waitFor()

    await show({ mode, question: { query: 'Ada' }, hasTools: false })
    await app.getByText('Ada, in the Safe').waitFor()
    await app.getByRole('link', { name: 'Bob' }).dispatchEvent('click')
    t.match(await status(page).innerText(), 'Ada, in the Safe', 'a host without tools is not asked')
    t.same(errors, [])
  },
)
