import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import t from 'tap'
import { dataDir } from '../../data-dir.js'
import { Assistant } from '../oauth/assistant.js'
import { PASSWORD } from './browser.js'
import { openChromium, openSignedIn } from './in-chromium.js'

t.test('what a newcomer does works in Chromium without JavaScript', async t => {
  const { app, page, complaints } = await openChromium(t, { javaScriptEnabled: false })
  const setupToken = await app.accounts.invitations.createSetupToken()
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
  await page.waitForURL(/\/imports\/1$/)
  await app.safes.idle()
  // Earlier than the page does by itself; the test below covers that.
  await page.reload()
  await page.getByRole('heading', { name: 'Ready to review' }).waitFor()
  t.match(await page.locator('.card').first().innerText(), /New\s.*3 things.*2 relations/s)
  await page.getByRole('button', { name: 'Add to the Safe' }).click()
  await page.getByRole('link', { name: 'All files' }).click()
  await page.getByText('3 things · 2 relations').first().waitFor()
  await page.getByRole('link', { name: 'Undo… space.csv' }).click()
  await page.getByRole('button', { name: 'Undo the import' }).click()
  await page.getByText('0 things · 0 relations').first().waitFor()
  await page.locator('[data-menu] > summary').click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  t.same(complaints, [], 'the browser has nothing to complain about')
})

t.test('without JavaScript the page of a file that is read loads itself again until it is done', async t => {
  const { app, page, ann } = await openSignedIn(t, { javaScriptEnabled: false })
  const safe = await app.safes.create(ann.id, 'Space')
  const bytes = new PassThrough()
  const { id } = await app.safes.imports.start(ann.id, safe.id, { source: 'space.csv', bytes, commit: false })
  let loaded = 0
  await page.route(/\/imports\//, async route => {
    const response = await route.fetch()
    // At once instead of after ten seconds.
    const body = (await response.text()).replace(
      'http-equiv="refresh" content="10"',
      'http-equiv="refresh" content="0"',
    )
    await route.fulfill({ response, body })
    if (++loaded === 2) bytes.end('Titan,orbits,Saturn\n')
  })
  await page.goto(`/safes/${safe.id}/imports/${id}`)
  await page.getByRole('heading', { name: 'Ready to review' }).waitFor()
  t.ok(loaded > 2)
})

t.test('with JavaScript the copy buttons work', async t => {
  const permissions = ['clipboard-read', 'clipboard-write']
  const { page, baseURL } = await openSignedIn(t, { permissions })
  await page.goto('/')
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  t.equal(await page.evaluate('navigator.clipboard.readText()'), `${baseURL}/mcp/v1`)
})

t.test('C7 consent fits one screen with five Safes, and many stay in a list that scrolls (UX)', async t => {
  const { app, page, ann } = await openSignedIn(t)
  const client_name = 'Cursor'
  const redirect_uris = ['cursor://anysphere.cursor-mcp/oauth/callback']
  const registered = await app.inject({
    method: 'POST',
    url: '/oauth/register',
    payload: { client_name, redirect_uris },
  })
  const assistant = new Assistant(app)
  assistant.clientId = registered.json().client_id
  const url = assistant.authorizeUrl({ redirect_uri: redirect_uris[0] })
  const bottomOf = async (selector: string) => {
    const { y = 0, height = 0 } = (await page.locator(selector).last().boundingBox()) ?? {}
    return y + height
  }
  const sizes = [
    { width: 1280, height: 800 },
    { width: 390, height: 844 },
  ]
  for (const safes of [5, 30]) {
    for (let i = safes === 5 ? 0 : 5; i < safes; i++) await app.safes.create(ann.id, `Safe ${i}`)
    for (const size of sizes) {
      const name = `${safes} Safes at ${size.width} pixels`
      await page.setViewportSize(size)
      await page.goto(url)
      t.ok((await bottomOf('button[value=approve]')) <= size.height, name)
      const list = await bottomOf(safes === 5 ? '.ticks .choice' : '.ticks')
      t.ok(list <= (await bottomOf('button[value=approve]')) - 44, `${name}: nothing is behind the buttons`)
    }
  }
})

t.test('the password of a new account can be shown', async t => {
  const { app, page, complaints } = await openChromium(t)
  await page.goto(`/setup?token=${await app.accounts.invitations.createSetupToken()}`)
  const field = page.getByLabel('Password')
  await field.fill(PASSWORD)
  t.equal(await field.getAttribute('type'), 'password')
  await page.getByLabel('Show what I type').check()
  t.equal(await field.getAttribute('type'), 'text')
  t.same(complaints, [])
})
