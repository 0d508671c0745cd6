import type { BrowserContextOptions } from 'playwright-core'
import type { Test } from 'tap'
import { sharedChromium } from '../../chromium.js'
import { freePort } from '../../free-port.js'
import { build } from '../../helper.js'
import { PASSWORD } from './browser.js'

/** The service on a port, and an empty page of Chromium. `complaints`: what the browser finds wrong with its pages. */
export async function openChromium(t: Test, options: BrowserContextOptions = {}) {
  const port = await freePort()
  const baseURL = `http://localhost:${port}`
  const app = await build(t, { env: { BASE_URL: baseURL } })
  await app.listen({ port, host: '127.0.0.1' })
  const context = await (await sharedChromium()).newContext({ baseURL, ...options })
  t.teardown(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', message => void (message.type() === 'error' && complaints.push(message.text())))
  page.on('pageerror', error => void complaints.push(error.message))
  return { app, baseURL, context, page, complaints }
}

/** The same, signed in as Ann. */
export async function openSignedIn(t: Test, options: BrowserContextOptions = {}) {
  const opened = await openChromium(t, options)
  const ann = await opened.app.accounts.add('ann@example.org', PASSWORD)
  const value = await opened.app.loginSessions.begin(ann.id)
  await opened.context.addCookies([{ name: 'svc_session', value, url: opened.baseURL }])
  return { ...opened, ann }
}

/** The same, with the sample Safe at `path`. */
export async function openSample(t: Test, options: BrowserContextOptions = {}) {
  const opened = await openSignedIn(t, options)
  const { id } = await opened.app.safes.createSample(opened.ann.id)
  return { ...opened, path: `/safes/${id}` }
}
