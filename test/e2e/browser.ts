import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { Test } from 'tap'
import { sharedChromium } from '../chromium.js'
import { serve } from './web-server.js'

/** A browser of its own for each test: a context of the Chromium of this process. */
export async function openBrowser(t: Test, options?: BrowserContextOptions): Promise<BrowserContext> {
  const context = await (await sharedChromium()).newContext(options)
  t.teardown(() => context.close())
  return context
}

export const account = { email: 'ada@safes.example', password: 'a password for the tests' }

/** Fills in the set-up page of the printed link. */
export async function createFirstAccount(page: Page, setupLink: string) {
  await page.goto(setupLink)
  await page.fill('input[name=email]', account.email)
  await page.fill('input[name=password]', account.password)
  await page.click('main button')
  await page.waitForURL(url => !url.pathname.startsWith('/setup'))
}

/** Signs in if asked to, and answers the consent page; the answer arrives at the callback. */
export async function decide(
  page: Page,
  authorizationUrl: URL,
  decision: 'approve' | 'deny' = 'approve',
  { mayPropose = false } = {},
) {
  await page.goto(authorizationUrl.href)
  if (new URL(page.url()).pathname === '/login') {
    await page.fill('input[name=email]', account.email)
    await page.fill('input[name=password]', account.password)
    await page.click('main button')
    await page.waitForURL(/\/oauth\/consent\//)
  }
  if (mayPropose) await page.check('input[name=propose]')
  await page.click(`button[name=decision][value=${decision}]`)
}

/** An assistant's loopback callback: the received parameters, as the assistant reads them. */
export async function openCallback(t: Test): Promise<{ uri: string; received: Promise<URL> }> {
  let receive: (url: URL) => void = () => {}
  const received = new Promise<URL>(resolve => {
    receive = resolve
  })
  const origin = await serve(t, (request, response) => {
    const url = new URL(request.url ?? '/', origin)
    if (url.pathname === '/callback') receive(url)
    response.setHeader('Content-Type', 'text/plain')
    response.end('You can close this window.')
  })
  return { uri: `${origin}/callback`, received }
}
