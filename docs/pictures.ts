// Takes the pictures of the README from the running service: npm run pictures
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildApp } from '../app.js'
import { rootDir } from '../common/package.js'
import { loadConfig } from '../plugins/config.js'
import { launchChromium } from '../test/chromium.js'

const [email, password] = ['ada@example.org', 'a password for the pictures']
const folder = mkdtempSync(join(tmpdir(), 'svc-pictures-'))
const app = await buildApp({ config: loadConfig({ DATA_DIR: folder }) })
const browser = await launchChromium()
try {
  await app.listen({ port: app.config.port, host: 'localhost' })
  const account = await app.accounts.add(email, password)
  const safe = await app.safes.createSample(account.id)
  const page = await browser.newPage({
    baseURL: app.config.baseUrl,
    viewport: { width: 860, height: 800 },
    deviceScaleFactor: 1.5,
  })
  await page.goto('/login')
  await page.fill('[name=email]', email)
  await page.fill('[name=password]', password)
  await page.click('main button')
  await page.waitForURL(/\/$/)

  const question = 'Where does the leader of the Lens Restoration live?'
  await page.goto(`/safes/${safe.id}?q=${encodeURIComponent(question)}`)
  await page.screenshot({ path: picture('answer'), clip: { x: 0, y: 0, width: 860, height: 900 } })

  await page.goto(await authorizeUrl())
  await page.locator('.panel').screenshot({ path: picture('consent') })
} finally {
  await browser.close()
  await app.close()
  rmSync(folder, { recursive: true })
}

/** As Cursor asks: with its callbacks and the challenge of RFC 7636 Appendix B. */
async function authorizeUrl(): Promise<string> {
  const redirect_uri = 'cursor://anysphere.cursor-mcp/oauth/callback'
  const registration = { client_name: 'Cursor', redirect_uris: [redirect_uri] }
  const reply = await app.inject({ method: 'POST', url: '/oauth/register', payload: registration })
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: reply.json().client_id,
    redirect_uri,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    resource: `${app.config.baseUrl}/mcp/v1`,
  })
  return `/oauth/authorize?${query}`
}

function picture(name: string): string {
  return join(rootDir, 'docs', 'images', `${name}.png`)
}
