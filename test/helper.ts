import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import type { Test } from 'tap'
import { buildApp } from '../app.js'
import type { ScryptCost } from '../domain/accounts/password.js'
import type { FetchDocument } from '../domain/oauth/clients/document-fetch.js'
import type { Clock } from '../platform/common/clock.js'
import { loadConfig } from '../plugins/config.js'
import { loggerOptions } from '../plugins/logger.js'
import { dataDir } from './data-dir.js'
import { fileReaders } from './file-readers.js'
import { type PoolMode, throughPooler } from './pgbouncer.js'
import { TEMPLATE } from './postgres-server.js'
import { embeddedTemplate, poolerOf, postgresServer, redisPort } from './servers.js'

/** `redis`: the embedded database and Redis. `postgres`: Postgres and Redis. */
export type SetUp = 'embedded' | 'redis' | 'postgres'

/** The set-up of this run. Tests that do not depend on the store run once, and on all stores in `npm run test:deep`. */
export const setUp: SetUp = (process.env.SET_UP as SetUp | undefined) ?? 'embedded'

/** For tests that do depend on the store: all in `npm test`, the one of the run in the deep tests. */
export const everySetUp: readonly SetUp[] = process.env.SET_UP ? [setUp] : ['embedded', 'redis', 'postgres']

export interface BuildOptions {
  setUp?: SetUp
  env?: Record<string, string>
  clock?: Clock
  fetchDocument?: FetchDocument
  passwordCost?: ScryptCost
  /** Default: a stopped clock, so that no request is rejected because the machine is busy. */
  overloadClock?: Clock
  /** Called when the service should be started again. */
  startAgain?: () => void
  /** Called while a stopping service asks its clients to leave. */
  stopGrace?: () => Promise<unknown>
  /** Receives log lines at level `trace`. */
  log?: { write(line: string): void }
}

/** Cheap hashing: at the default cost, passwords would take a third of the test time. */
export const CHEAP = { ln: 8, r: 8, p: 1 }

/** Builds the service with its own data folder; closed when the test ends. */
export async function build(t: Test, options: BuildOptions = {}): Promise<FastifyInstance> {
  // With a fixed clock, rate limits would never recover.
  const fixed = { BASE_URL: 'https://safes.example', CALLS_PER_SECOND: '0' }
  const env = { DATA_DIR: dataDir(t), ...fixed, ...options.env }
  const stores = await storesOf(t, options.setUp ?? setUp, env)
  const config = loadConfig({ LOG_LEVEL: 'trace', ...stores, ...env })
  if (!config.databaseUrl) await migratedIn(config.dataDir)
  const {
    clock,
    fetchDocument,
    log,
    startAgain,
    stopGrace,
    passwordCost = CHEAP,
    overloadClock = () => 0,
  } = options
  const logger = log ? loggerOptions(config, log) : false
  const app = await buildApp({
    config,
    logger,
    passwordCost,
    overloadClock,
    readers: fileReaders,
    ...(clock ? { clock } : {}),
    ...(startAgain ? { startAgain } : {}),
    ...(stopGrace ? { stopGrace } : {}),
    ...(fetchDocument ? { fetchDocument } : {}),
  })
  t.teardown(() => app.close())
  await app.ready()
  return app
}

export { dataDir }

/** A folder with a migrated database. */
export async function migratedDataDir(t: Test): Promise<string> {
  const folder = dataDir(t)
  await migratedIn(folder)
  return folder
}

/** URLs of fresh stores for the set-up, unless `env` has shared ones. */
async function storesOf(t: Test, setUp: SetUp, env: Record<string, string>): Promise<Record<string, string>> {
  return {
    ...(setUp === 'embedded' || env.REDIS_URL ? {} : { REDIS_URL: await redisUrl() }),
    ...(setUp !== 'postgres' || env.DATABASE_URL ? {} : { DATABASE_URL: await postgresUrl(t, TEMPLATE) }),
  }
}

/** The settings of stores that several services of a test share, one after the other. */
export async function sharedStores(t: Test): Promise<Record<string, string>> {
  return { DATA_DIR: dataDir(t), ...(await storesOf(t, setUp, {})) }
}

/** A fresh location for the database of a store test: a folder, or a database in Postgres. */
export async function databaseLocation(
  t: Test,
  over: 'sqlite' | 'postgres' = setUp === 'postgres' ? 'postgres' : 'sqlite',
) {
  if (over === 'postgres') return { dataDir: dataDir(t), databaseUrl: await postgresUrl(t, TEMPLATE) }
  return { dataDir: await migratedDataDir(t), databaseUrl: null }
}

/** Gives a folder without a database a migrated one. */
async function migratedIn(folder: string): Promise<void> {
  const file = join(folder, 'svc.db')
  if (existsSync(folder) && !existsSync(file)) copyFileSync(await embeddedTemplate(), file)
}

/** The mode of the pooler between tests and Postgres, in `npm run test:deep -- pooler-transaction`. */
export const pooler = process.env.POOLER as PoolMode | undefined

/** Creates a database in the Postgres of the run: empty, or a copy of a template. */
export async function postgresUrl(t: Test, template = 'template1'): Promise<string> {
  const server = await postgresServer()
  const name = `test_${randomBytes(8).toString('hex')}`
  await command(server, `create database ${name} template ${template}`)
  t.teardown(() => command(server, `drop database ${name} with (force)`))
  const url = Object.assign(new URL(server), { pathname: name }).href
  return pooler ? throughPooler(url, await poolerOf(pooler)) : url
}

async function command(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}

/** Returns an unused database of the Redis of the run. */
export async function redisUrl(): Promise<string> {
  const port = await redisPort()
  const redis = new Redis(port, '127.0.0.1')
  const number = await redis.incr('test-databases')
  redis.disconnect()
  return `redis://127.0.0.1:${port}/${(number % 4095) + 1}`
}

/** A clock that tests control: `clock.now += 3_600_000`. */
export function testClock(now = Date.UTC(2026, 0, 1)): Clock & { now: number } {
  const clock = Object.assign(() => clock.now, { now })
  return clock
}
