import type { Test } from 'tap'
import { type BuildOptions, build, testClock } from '../../helper.js'
import { type Browser, PASSWORD } from '../../integration/pages/browser.js'
import { type Person, startProvider, type TestProvider } from './openid-provider.js'

export const ANN: Person = { sub: 'ann-1', email: 'Ann@Example.org', email_verified: true }

/** The service with a provider and an administrator. */
export async function start(t: Test, rules: Record<string, string> = {}, options: BuildOptions = {}) {
  const provider = await startProvider(t)
  const clock = testClock(Date.now())
  const app = await build(t, { clock, ...options, env: { ...provider.env, ...rules, ...options.env } })
  await app.accounts.add('admin@example.org', PASSWORD)
  return { app, provider, clock }
}

/** The path and query of a callback. */
export const pathOf = (url: string) => url.replace('https://safes.example', '')

/** Clicks the button of a page. @returns the URL at the provider */
export async function leave(browser: Browser, page = '/login'): Promise<string> {
  const { statusCode, headers, body } = await browser.submit(page, '/login/provider')
  if (statusCode !== 303) throw new Error(`${statusCode}: ${body}`)
  return String(headers.location)
}

/** Signs in through the provider. @returns the answer to the callback */
export async function signIn(browser: Browser, provider: TestProvider, person: Person, page?: string) {
  provider.state.person = person
  return browser.get(pathOf(await provider.visit(await leave(browser, page))))
}

/** The error that a page shows. */
export const message = (page: string) => page.match(/role="alert">(.*?)<\/div>/s)?.[1] ?? page
