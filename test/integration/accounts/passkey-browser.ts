import { type Browser, hiddenFields, PASSWORD } from '../pages/browser.js'
import type { Authenticator, Changes } from './authenticator.js'

/** Opens the page on which a passkey is created. */
export async function newPasskey(browser: Browser, fields: Record<string, string> = { password: PASSWORD }) {
  const page = await browser.submit('/account', '/account/passkeys/new', fields)
  const [, options = '{}'] = /data-options="([^"]*)"/.exec(page.body) ?? []
  return { page, options: JSON.parse(options.replaceAll('&quot;', '"')) }
}

/** Adds a passkey. @returns the answer to the form */
export async function addPasskey(browser: Browser, authenticator: Authenticator, changes: Changes = {}) {
  const { page, options } = await newPasskey(browser)
  const fields = hiddenFields(page.body, '/account/passkeys')
  const credential = authenticator.create(options, changes)
  return browser.post('/account/passkeys', { ...fields, credential, name: 'My phone' })
}

/** Signs in with a passkey. @returns the answer to the form */
export async function signInWithPasskey(
  browser: Browser,
  authenticator: Authenticator,
  changes: Changes = {},
  page = '/login',
) {
  const fields = hiddenFields((await browser.get(page)).body, '/login/passkey')
  const credential = authenticator.get((await browser.get('/login/passkey')).json(), changes)
  return browser.post('/login/passkey', { ...fields, credential })
}
