import t, { type Test } from 'tap'
import { once } from '../../once.js'
import { openSample, openSignedIn } from './in-chromium.js'

const sample = once(() => openSample(t))

/** The Ask page of the sample. */
async function open(t: Test, javaScriptEnabled = true) {
  const { path, ...site } = await sample()
  const { page } = await openSignedIn(t, { javaScriptEnabled }, site)
  await page.goto(path)
  return { page, path }
}

t.test('names are suggested while typing, and chosen with the keyboard', async t => {
  const { page, path } = await open(t)
  const box = page.getByRole('combobox', { name: 'Search or ask…' }).first()
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
  const box = page.getByRole('combobox', { name: 'Search or ask…' }).first()
  await box.fill('Petrel')
  await page.getByRole('option').first().waitFor()
  await box.press('Enter')
  await page.getByRole('heading', { name: 'Petrel' }).first().waitFor()
})

t.test('words such as type: are completed, and questions that were asked are suggested again', async t => {
  const { page, path } = await open(t)
  const box = page.getByRole('combobox', { name: 'Search or ask…' }).first()
  await box.fill('Who restores it? type:pers')
  const options = page.getByRole('option')
  await options.first().waitFor()
  t.strictSame(await options.locator('bdi').allInnerTexts(), ['person'])
  await box.press('ArrowDown')
  await box.press('Enter')
  t.equal(await box.inputValue(), 'Who restores it? type:person ')
  await box.press('Enter')
  await page.waitForURL('**?q=Who+restores+it%3F+type%3Aperson+')
  t.equal(await page.locator('[name=types]').inputValue(), 'person')
  await page.goto(path)
  await box.focus()
  await options.first().waitFor()
  t.strictSame(await options.locator('bdi').allInnerTexts(), ['Who restores it? type:person'])
})

t.test('arrows walk from the search field through the results of all Safes (issue 57.9)', async t => {
  const { page } = await open(t)
  await page.goto('/search?q=lens')
  const focused = () =>
    page.evaluate('[...document.querySelectorAll("[data-walk] .name")].indexOf(document.activeElement)')
  await page.getByRole('combobox', { name: 'Search or ask…' }).first().focus()
  await page.keyboard.press('ArrowDown')
  t.equal(await focused(), 0)
  await page.keyboard.press('ArrowDown')
  t.equal(await focused(), 1)
  await page.keyboard.press('ArrowUp')
  t.equal(await focused(), 0)
  await page.keyboard.press('ArrowUp')
  t.equal(await page.evaluate('document.activeElement.tagName'), 'INPUT')
})

t.test('without JavaScript an exact name in the form of Browse leads to its thing', async t => {
  const { page, path } = await open(t, false)
  await page.getByRole('link', { name: 'Things', exact: true }).click()
  await page.getByLabel('Find a thing').fill('Lens restoration')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.waitForURL(`**${path}/things/lens%20restoration`)
})
