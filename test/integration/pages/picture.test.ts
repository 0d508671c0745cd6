import t, { type Test } from 'tap'
import { once } from '../../once.js'
import { Browser } from './browser.js'
import { openSample, openSignedIn } from './in-chromium.js'

const sample = once(() => openSample(t))

/** The page of a thing of the sample in Chromium. */
async function open(t: Test, javaScriptEnabled = true) {
  const { path, ...site } = await sample()
  const { page, complaints } = await openSignedIn(t, { javaScriptEnabled }, site)
  await page.goto(`${path}/things/lens%20restoration`)
  return { page, path, picture: page.locator('svg.picture').first(), complaints }
}

t.test('the picture of two rings is a page with every name a link', async t => {
  const { app, path } = await sample()
  const browser = new Browser(app)
  await browser.signIn('ann@example.org')
  const url = `${path}/picture?of=lens%20restoration`
  const { statusCode, body } = await browser.get(url)
  t.equal(statusCode, 200)
  t.match(body, /<svg[^>]* aria-label="Lens Restoration and its 7 neighbours, and \d+ things around these">/)
  const links = [...body.matchAll(/<a href="([^"]*)" data-n="/g)].map(([, href]) => href!)
  t.ok(links.length > 12)
  t.equal(new Set(links).size, links.length, 'each thing once')
  for (const href of links) t.equal((await browser.get(href)).statusCode, 200, href)
  t.equal(
    (await browser.get(url)).body.match(/<svg class="picture".*<\/svg>/)?.[0],
    body.match(/<svg class="picture".*<\/svg>/)?.[0],
  )
  t.equal((await browser.get(`${path}/picture?of=nobody`)).statusCode, 404)
  t.equal((await browser.get(`${path}/picture`)).statusCode, 400)
})

t.test('types are hidden and shown by pointer and by keyboard, which is announced', async t => {
  const { page, picture, complaints } = await open(t)
  const person = picture.getByRole('button', { name: 'person' })
  const jonas = picture.getByRole('link', { name: 'Jonas Lindqvist' })
  t.equal(await person.getAttribute('aria-pressed'), 'true')
  t.ok(await jonas.isVisible())
  await person.click()
  t.equal(await person.getAttribute('aria-pressed'), 'false')
  t.notOk(await jonas.isVisible())
  t.match(await page.locator('[data-picture] [role=status]').innerText(), /^\d of 7 things shown$/)
  await person.press('Enter')
  t.ok(await jonas.isVisible())
  await person.press(' ')
  t.notOk(await jonas.isVisible())
  t.ok((await picture.locator('path.off').count()) > 0)
  t.strictSame(complaints, [])
})

t.test('the lines of a name stand out under the pointer and with the focus', async t => {
  const { page, picture, complaints } = await open(t)
  const lit = () => picture.locator('path.lit').count()
  t.equal(await lit(), 0)
  await picture.getByRole('link', { name: 'Jonas Lindqvist' }).hover()
  const some = await lit()
  t.ok(some > 0 && some < (await picture.locator('path[data-n]').count()))
  await page.mouse.move(0, 0)
  t.equal(await lit(), 0)
  await picture.getByRole('link', { name: 'Jonas Lindqvist' }).focus()
  t.equal(await lit(), some)
  await page.locator('#path > summary').focus()
  t.equal(await lit(), 0)
  t.strictSame(complaints, [])
})

t.test('the second ring is drawn in place, and taken away again', async t => {
  const { page, picture, complaints } = await open(t)
  const before = await picture.innerHTML()
  await page.getByRole('button', { name: 'Show their neighbours as well' }).click()
  await picture.locator('path.twig').first().waitFor({ state: 'attached' })
  t.match(await page.locator('[data-picture] [role=status]').innerText(), /things around these$/)
  t.ok((await picture.locator('a[data-n]').count()) > 12)
  await picture.getByRole('button', { name: 'person' }).click()
  t.ok((await picture.locator('a.off').count()) > 0)
  await page.getByRole('button', { name: 'Show direct neighbours only' }).click()
  t.equal(await picture.innerHTML(), before)
  t.strictSame(complaints, [])
})

t.test('without JavaScript the second ring is a page of its own', async t => {
  const { page, path } = await open(t, false)
  t.equal(await page.getByRole('button', { name: 'person' }).count(), 0)
  await page.getByRole('link', { name: 'Show their neighbours as well' }).click()
  await page.waitForURL(url => url.pathname === `${path}/picture`)
  await page.getByRole('heading', { name: 'Around Lens Restoration' }).waitFor()
  await page.getByRole('link', { name: 'Everything about Lens Restoration' }).click()
  await page.waitForURL(url => url.pathname === `${path}/things/lens%20restoration`)
})
