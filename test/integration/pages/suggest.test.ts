import t, { type Test } from 'tap'
import { launchChromium } from '../../chromium.js'
import { freePort } from '../../free-port.js'
import { build } from '../../helper.js'
import { PASSWORD } from './browser.js'

/** The Ask page of the sample, signed in. */
async function open(t: Test, javaScriptEnabled = true) {
  const port = await freePort()
  const baseURL = `http://localhost:${port}`
  const app = await build(t, { env: { BASE_URL: baseURL } })
  await app.listen({ port, host: '127.0.0.1' })
  const ann = await app.accounts.add('ann@example.org', PASSWORD)
  const { id } = await app.safes.createSample(ann.id)
  const browser = await launchChromium()
  t.teardown(() => browser.close())
  const page = await (await browser.newContext({ baseURL, javaScriptEnabled })).newPage()
  await page.goto('/login')
  await page.getByLabel('E-mail address').fill('ann@example.org')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/$/)
  await page.goto(`/safes/${id}`)
  return { page, path: `/safes/${id}` }
}

t.test('names are suggested while typing, and chosen with the keyboard', async t => {
  const { page, path } = await open(t)
  const box = page.getByRole('combobox', { name: 'Ask this Safe' })
  t.equal(await box.getAttribute('aria-expanded'), 'false')
  await box.fill('lens')
  const options = page.getByRole('option')
  await options.first().waitFor()
  t.strictSame(await options.locator('bdi').allInnerTexts(), ['Lens Restoration', 'Fresnel lens'])
  t.equal(await box.getAttribute('aria-expanded'), 'true')
  await box.press('ArrowDown')
  await box.press('ArrowDown')
  const chosen = await box.getAttribute('aria-activedescendant')
  t.equal(await options.nth(1).getAttribute('id'), chosen)
  t.equal(await options.nth(1).getAttribute('aria-selected'), 'true')
  await box.press('Escape')
  t.equal(await page.getByRole('listbox').count(), 0)
  t.equal(await box.inputValue(), 'lens', 'Escape closes the list and keeps the text')
  await box.fill('petr')
  await options.first().waitFor()
  await box.press('ArrowDown')
  await box.press('Enter')
  await page.waitForURL(`**${path}/things/petrel`)
})

t.test('a question is asked as before when no name is chosen', async t => {
  const { page } = await open(t)
  const box = page.getByRole('combobox', { name: 'Ask this Safe' })
  await box.fill('Petrel')
  await page.getByRole('option').first().waitFor()
  await box.press('Enter')
  await page.getByRole('heading', { name: 'Answer' }).waitFor()
})

t.test('without JavaScript an exact name in the form of Browse leads to its thing', async t => {
  const { page, path } = await open(t, false)
  await page.getByRole('link', { name: 'Browse', exact: true }).click()
  await page.getByLabel('Find a thing').fill('Lens restoration')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.waitForURL(`**${path}/things/lens%20restoration`)
})
