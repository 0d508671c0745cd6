import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import type { Account } from '../../domain/accounts/account.js'
import type { Safe } from '../../domain/safes/safe.js'
import { freePort } from '../free-port.js'
import { build, type SetUp, testClock } from '../helper.js'
import { addLighthouse } from '../lighthouse.js'
import { account, createFirstAccount, openBrowser } from './browser.js'

export interface Service {
  app: FastifyInstance
  baseUrl: string
  clock: ReturnType<typeof testClock>
  /** Everything written so far: the log at level `trace`, the data folder, Redis. */
  written(): Promise<string>
}

interface ListenOptions {
  setUp?: SetUp
  /** Default: a free one. */
  port?: number
  settings?: Record<string, string>
}

/** The whole service on a real socket, with a clock the test can move. */
export async function listen(t: Test, { setUp, settings, ...options }: ListenOptions = {}): Promise<Service> {
  const port = options.port ?? (await freePort())
  const baseUrl = `http://localhost:${port}`
  const clock = testClock(Date.now())
  let log = ''
  const stream = {
    write(line: string) {
      log += line
    },
  }
  const env = { BASE_URL: baseUrl, PORT: String(port), ...settings }
  const app = await build(t, { clock, log: stream, env, ...(setUp && { setUp }) })
  await app.listen({ host: 'localhost', port })
  const written = async () => log + readFolder(app.config.dataDir) + (await readRedis(app.redis))
  return { app, baseUrl, clock, written }
}

function readFolder(folder: string): string {
  const files = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isFile())
  return files.map(file => readFileSync(join(folder, file.name), 'latin1')).join('\n')
}

async function readRedis(redis: FastifyInstance['redis']): Promise<string> {
  if (!redis) return ''
  const { keyPrefix = '' } = redis.options
  const keys = (await redis.keys(`${keyPrefix}*`)).map(key => key.slice(keyPrefix.length))
  const values = await Promise.all(keys.map(key => redis.dumpBuffer(key)))
  return [...keys, ...values.map(value => value?.toString('latin1'))].join('\n')
}

/** The first account, created as a newcomer does. */
export async function setUpThroughThePage(app: FastifyInstance, page: Page): Promise<Account> {
  const link = `${app.config.baseUrl}/setup?token=${await app.accounts.invitations.createSetupToken()}`
  await createFirstAccount(page, link)
  const created = await app.accounts.findByEmail(account.email)
  if (!created) throw new Error('the set-up page created no account')
  return created
}

export type SafeRef = Pick<Safe, 'id' | 'name'>

export interface Household extends Service {
  /** Of a Chromium in which the owner is signed in. */
  page: Page
  owner: Account
  /** The sample Safe. */
  safe: SafeRef
  /** An empty one as well, so that an assistant has to choose. */
  other: SafeRef
}

/** A service as its owner has it: an account, a browser, two Safes. */
export async function listenWithSafes(t: Test, options?: ListenOptions): Promise<Household> {
  const service = await listen(t, options)
  const page = await (await openBrowser(t)).newPage()
  const owner = await setUpThroughThePage(service.app, page)
  const safe = await addLighthouse(service.app, owner.id)
  const other = await service.app.safes.create(owner.id, 'Empty Safe')
  return { ...service, page, owner, safe, other }
}
