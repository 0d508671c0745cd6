import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import type { Account } from '../../plugins/accounts/account.js'
import { build, type SetUp, testClock } from '../helper.js'
import { account, createFirstAccount } from './browser.js'

export interface Service {
  app: FastifyInstance
  baseUrl: string
  clock: ReturnType<typeof testClock>
}

/** The whole service on a real socket, with a clock the test can move. */
export async function listen(t: Test, setUp: SetUp): Promise<Service> {
  const port = await freePort()
  const baseUrl = `http://localhost:${port}`
  const clock = testClock(Date.now())
  const app = await build(t, { setUp, clock, env: { BASE_URL: baseUrl, PORT: String(port) } })
  await app.listen({ host: 'localhost', port })
  return { app, baseUrl, clock }
}

/** A port nobody listens on. */
export function freePort(): Promise<number> {
  return new Promise(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** The first account, made the way a newcomer makes it. */
export async function setUpThroughThePage(app: FastifyInstance, page: Page): Promise<Account> {
  const link = `${app.config.baseUrl}/setup?token=${await app.accounts.createSetupToken()}`
  await createFirstAccount(page, link)
  const created = await app.accounts.findByEmail(account.email)
  if (!created) throw new Error('the set-up page created no account')
  return created
}
