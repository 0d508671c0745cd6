import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { type BuildOptions, build } from '../../helper.js'
import { Browser } from './browser.js'
import { jsonl } from './filled.js'

/** A signed-in person, with a new account if necessary. */
export async function signedIn(app: FastifyInstance, email: string) {
  const browser = new Browser(app)
  await browser.signIn(email)
  const account = await app.accounts.findByEmail(email)
  if (!account) throw new Error(`${email} has no account`)
  return { browser, id: account.id }
}

/** The service, and Ann, who has signed in. */
export async function open(t: Test, options: BuildOptions = {}) {
  const app = await build(t, options)
  return { app, ...(await signedIn(app, 'ann@example.org')) }
}

/** Imports statements into a Safe. */
export const add = (
  app: FastifyInstance,
  accountId: string,
  safeId: string,
  source: string,
  ...lines: object[]
) => app.safes.imports.add(accountId, safeId, { source, bytes: jsonl(...lines), commit: true })

/** The matches of `pattern` on a page and on all pages it links to. */
export async function walk(browser: Browser, first: string, pattern: RegExp) {
  const found: string[] = []
  let [url, pages]: [string | undefined, number] = [first, 0]
  for (; url && pages < 20; pages++) {
    const { statusCode, body } = await browser.get(url)
    if (statusCode !== 200) throw new Error(`${url}: ${statusCode}`)
    found.push(...[...body.matchAll(pattern)].map(match => match[1] ?? ''))
    url = /<a href="([^"]+)">Show more/.exec(body)?.[1]?.replaceAll('&amp;', '&').replace(/#.*/, '')
  }
  return { found, pages }
}
