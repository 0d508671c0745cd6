import type { FastifyInstance } from 'fastify'
import type { BrowserContextOptions } from 'playwright-core'
import type { Test } from 'tap'
import { sharedChromium } from '../../chromium.js'
import { freePort } from '../../free-port.js'
import { build } from '../../helper.js'
import { addLighthouse } from '../../lighthouse.js'
import { PASSWORD } from './browser.js'

/** The service on a port. */
export async function openSite(t: Test) {
  const port = await freePort()
  const baseURL = `http://localhost:${port}`
  const app = await build(t, { env: { BASE_URL: baseURL } })
  await app.listen({ port, host: '127.0.0.1' })
  return { app, baseURL }
}

type Site = Awaited<ReturnType<typeof openSite>>

/** An empty page of Chromium on a site of its own. `complaints`: problems that the browser reports about its pages. */
export async function openChromium(t: Test, options: BrowserContextOptions = {}, site?: Site) {
  const { app, baseURL } = site ?? (await openSite(t))
  const context = await (await sharedChromium()).newContext({ baseURL, ...options })
  t.teardown(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', message => void (message.type() === 'error' && complaints.push(message.text())))
  page.on('pageerror', error => void complaints.push(error.message))
  return { app, baseURL, context, page, complaints }
}

/** The same, signed in as Ann. */
export async function openSignedIn(t: Test, options: BrowserContextOptions = {}, site?: Site) {
  const opened = await openChromium(t, options, site)
  const ann = await accountOf(opened.app)
  const value = await opened.app.loginSessions.begin(ann.id)
  await opened.context.addCookies([{ name: 'svc_session', value, url: opened.baseURL }])
  return { ...opened, ann }
}

/** A site on which Ann has the sample Safe, at `path`. */
export async function openSample(t: Test) {
  const site = await openSite(t)
  const { id } = await addLighthouse(site.app, (await accountOf(site.app)).id)
  return { ...site, path: `/safes/${id}` }
}

const ANN = 'ann@example.org'

const accountOf = async ({ accounts }: FastifyInstance) =>
  (await accounts.findByEmail(ANN)) ?? (await accounts.add(ANN, PASSWORD))
