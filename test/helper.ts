import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Redis } from 'ioredis'
import type { Test } from 'tap'
import { buildApp } from '../app.js'
import type { Clock } from '../plugins/clock.js'
import { loadConfig } from '../plugins/config.js'
import { loggerOptions } from '../plugins/logger.js'
import type { FetchDocument } from '../plugins/oauth/document-fetch.js'

export type SetUp = 'embedded' | 'redis'

/** Both ways to run (DESIGN §4); tests of what passes go over both. */
export const setUps: readonly SetUp[] = ['embedded', 'redis']

export interface BuildOptions {
  setUp?: SetUp
  env?: Record<string, string>
  clock?: Clock
  fetchDocument?: FetchDocument
  /** Receives the log at level `trace`. */
  log?: { write(line: string): void }
}

/** The whole service over a data folder of its own, closed when the test ends. */
export async function build(t: Test, options: BuildOptions = {}): Promise<FastifyInstance> {
  const env = { DATA_DIR: dataDir(t), BASE_URL: 'https://safes.example', ...options.env }
  const redis = options.setUp === 'redis' ? { REDIS_URL: await redisUrl() } : {}
  const config = loadConfig({ LOG_LEVEL: 'trace', ...env, ...redis })
  const { clock, fetchDocument, log } = options
  const logger = log ? loggerOptions(config, log) : false
  const app = await buildApp({
    config,
    logger,
    ...(clock ? { clock } : {}),
    ...(fetchDocument ? { fetchDocument } : {}),
  })
  t.teardown(() => app.close())
  await app.ready()
  return app
}

/** A new folder, removed when the test ends. */
export function dataDir(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** An unused database of the Redis that test/setup.ts started. */
export async function redisUrl(): Promise<string> {
  const { redisPort } = JSON.parse(readFileSync(new URL('servers.json', import.meta.url), 'utf8'))
  const redis = new Redis(redisPort, '127.0.0.1')
  const number = await redis.incr('test-databases')
  redis.disconnect()
  return `redis://127.0.0.1:${redisPort}/${(number % 4095) + 1}`
}

/** A clock that tests move: `clock.now += 3_600_000`. */
export function testClock(now = Date.UTC(2026, 0, 1)): Clock & { now: number } {
  const clock = Object.assign(() => clock.now, { now })
  return clock
}
