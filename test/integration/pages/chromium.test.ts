import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import t, { type Test } from 'tap'
import { launchChromium } from '../../chromium.js'
import { freePort } from '../../free-port.js'
import { build, dataDir } from '../../helper.js'
import { PASSWORD } from './browser.js'

async function open(t: Test) {
  const port = await freePort()
  const app = await build(t, { env: { BASE_URL: `http://localhost:${port}` } })
  await app.listen({ port, host: '127.0.0.1' })
  const browser = await launchChromium()
  t.teardown(() => browser.close())
  return { app, browser, baseURL: `http://localhost:${port}` }
}

/** Set-up, a Safe, a file, yes, undo: what a newcomer does. */
async function firstFiveMinutes(t: Test, context: BrowserContext, setupToken: string) {
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', message => void (message.type() === 'error' && complaints.push(message.text())))
  page.on('pageerror', error => void complaints.push(error.message))
  await page.goto(`/setup?token=${setupToken}`)
  await page.getByLabel('E-mail address').fill('ann@example.org')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('link', { name: 'Create a Safe' }).click()
  await page.getByLabel('Name').fill('Space')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('link', { name: 'Add a file' }).click()
  const file = join(dataDir(t), 'space.csv')
  writeFileSync(file, 'Voyager 1,visited,Saturn\nTitan,orbits,Saturn\n')
  await page.getByLabel('Files', { exact: true }).setInputFiles(file)
  await page.getByRole('button', { name: 'Upload and review' }).click()
  await page.getByRole('heading', { name: 'Ready to review' }).waitFor()
  t.match(await page.locator('.counts').innerText(), /3 things\s+2 relations/)
  await page.getByRole('button', { name: 'Add to the Safe' }).click()
  await page.getByRole('link', { name: 'All files' }).click()
  await page.getByText('3 things · 2 relations').first().waitFor()
  await page.getByRole('link', { name: 'Undo… space.csv' }).click()
  await page.getByRole('button', { name: 'Undo the import' }).click()
  await page.getByText('0 things · 0 relations').first().waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  t.same(complaints, [], 'the browser has nothing to complain about')
  return page
}

t.test('the pages work in Chromium without JavaScript', async t => {
  const { app, browser, baseURL } = await open(t)
  const context = await browser.newContext({ baseURL, javaScriptEnabled: false })
  await firstFiveMinutes(t, context, await app.accounts.createSetupToken())
})

t.test('with JavaScript the copy buttons work', async t => {
  const { app, browser, baseURL } = await open(t)
  const context = await browser.newContext({
    baseURL,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await firstFiveMinutes(t, context, await app.accounts.createSetupToken())
  await page.getByLabel('E-mail address').fill('ann@example.org')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  t.equal(await page.evaluate('navigator.clipboard.readText()'), `${baseURL}/mcp/v1`)
})
