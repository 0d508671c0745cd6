import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Connection } from '../../../domain/oauth/connections/access.js'
import { build, dataDir, postgresUrl, redisUrl, testClock } from '../../helper.js'
import { type Assistant, assistantOf, BASE, type Fields } from '../../integration/oauth/assistant.js'
import { hiddenFields } from '../../integration/pages/browser.js'
import { stored } from '../../written.js'
import { Lane } from './lane.js'

/** Two processes of the service, and helpers for tests. */
export interface Service {
  /** A third one inside the test: it prepares, and checks the results. */
  app: FastifyInstance
  /** A client of `app` whose user is signed in. */
  assistant: Assistant
  /** The two processes, each over its own open connections. */
  lanes: readonly [Lane, Lane]
  /** Moves the clock of all three. */
  wait(ms: number): Promise<void>
  connections(): Promise<Connection[]>
  /** The form of a page that posts to `action`, with the headers of the browser that shows it. */
  formAt(page: string, action: string, fields?: Fields): Promise<[Fields, Record<string, string>]>
  /** The number of stored access tokens of a token's connection. */
  accessTokensOf(token: string): Promise<number>
}

/** State that several processes share: nothing depends on the memory of one of them. */
export const shared = ['Postgres and Redis', 'Postgres alone'] as const

/** Until a process has recorded the codes and tokens it answered, so that the others refuse to repeat them (ADR 2). */
const SETTLED_MS = 500

/** Starts two processes on the same stores. */
export async function startTwo(
  t: Test,
  stores: (typeof shared)[number],
  more: Record<string, string> = {},
): Promise<Service> {
  const redis = stores === 'Postgres and Redis' && { REDIS_URL: await redisUrl() }
  const env = { DATABASE_URL: await postgresUrl(t), ...redis, ...more }
  const clock = testClock(Date.now())
  const app = await build(t, { clock, env })
  const start = () => startProcess(t, app, { ...env, NOW: String(clock.now) })
  const started = await Promise.all([start(), start()])
  const [first, second] = started.map(({ url }) => new Lane(url)) as [Lane, Lane]
  t.teardown(() => {
    first.close()
    second.close()
  })

  const { assistant, id: owner } = await assistantOf(app)
  return {
    app,
    assistant,
    lanes: [first, second],
    async wait(ms) {
      await pause(SETTLED_MS)
      clock.now += ms
      for (const { child } of started) child.send(clock.now)
      await Promise.all(started.map(({ child }) => once(child, 'message')))
    },
    connections: () => app.oauth.connections.listFor(owner, { limit: 10_000 }),
    async formAt(page, action, fields) {
      const { browser } = assistant
      const { body } = await browser.get(page)
      const cookie = [...browser.cookies].map(pair => pair.join('=')).join('; ')
      return [
        { ...hiddenFields(body, action), ...fields },
        { cookie, accept: 'text/html' },
      ]
    },
    accessTokensOf: async token => accessTokens(await stored(app), token.split('_')[2] ?? ''),
  }
}

/** A further process on the stores of `app`. `log` receives its log. */
export async function startProcess(
  t: Test,
  app: FastifyInstance,
  env: Record<string, string>,
  log?: (line: string) => void,
) {
  const child: ChildProcess = fork(fileURLToPath(new URL('process.js', import.meta.url)), {
    env: {
      PATH: process.env.PATH,
      BASE_URL: BASE,
      DATA_DIR: dataDir(t),
      REDIS_URL: app.config.redisUrl ?? '',
      DATABASE_URL: app.config.databaseUrl ?? '',
      ...env,
    },
    silent: log !== undefined,
  })
  if (log) createInterface(child.stdout as Readable).on('line', log)
  t.teardown(async () => {
    if (child.exitCode !== null) return
    child.disconnect()
    await once(child, 'exit')
  })
  const [url] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (typeof url !== 'string') throw new Error(`a process did not start: ${url}`)
  return { child, url }
}

function accessTokens(stored: Record<string, unknown>, connectionId: string): number {
  const rows = stored.access_tokens as { connection_id: string }[]
  const keys = Object.keys(stored).filter(key => key.startsWith(`oauth:{${connectionId}}:access:`))
  return rows.filter(row => row.connection_id === connectionId).length + keys.length
}
