import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { Connection } from '../../plugins/oauth/access.js'
import { build, dataDir, type SetUp, testClock } from '../helper.js'
import { Assistant, BASE, type Fields } from '../oauth/assistant.js'
import { hiddenFields } from '../pages/browser.js'
import { stored } from '../written.js'
import { Lane } from './lane.js'

/** Two processes of the service, and what tests need beside them. */
export interface Service {
  /** A third one inside the test: it prepares, and looks at what came of it. */
  app: FastifyInstance
  /** A client of `app` whose user is signed in. */
  assistant: Assistant
  /** The two processes, each over its own open connections. */
  lanes: readonly [Lane, Lane]
  /** Moves the clock of all three. */
  wait(ms: number): Promise<void>
  connections(): Promise<Connection[]>
  /** The form of a page that posts to `action`, with the headers of the browser that has it open. */
  formAt(page: string, action: string, fields?: Fields): Promise<[Fields, Record<string, string>]>
  /** How many access tokens are stored of the connection that a token names. */
  accessTokensOf(token: string): Promise<number>
}

/**
 * Starts two processes on one database and, in the Redis set-up, one Redis. A second server on one data folder is
 * refused (DESIGN §4), so each gets a folder of its own in which `svc.db` is a link to the same file: SQLite locks
 * files, not folders. On Postgres they share a database.
 *
 * Proven by that: each step of the Redis stores, and each transaction of the SQL stores, is one step also between
 * processes; nothing depends on what a process remembers.
 */
export async function startTwo(t: Test, setUp: SetUp, env: Record<string, string> = {}): Promise<Service> {
  const clock = testClock(Date.now())
  const app = await build(t, { setUp, clock, env })
  const start = () => startProcess(t, app, { ...env, NOW: String(clock.now) })
  const started = await Promise.all([start(), start()])
  const [first, second] = started.map(({ url }) => new Lane(url)) as [Lane, Lane]
  t.teardown(() => {
    first.close()
    second.close()
  })

  const assistant = await Assistant.registered(app)
  await assistant.browser.signIn('ann@a.example')
  const owner = await app.accounts.findByEmail('ann@a.example')
  return {
    app,
    assistant,
    lanes: [first, second],
    async wait(ms) {
      clock.now += ms
      for (const { child } of started) child.send(clock.now)
      await Promise.all(started.map(({ child }) => once(child, 'message')))
    },
    connections: () => app.oauth.connections.listFor(owner?.id ?? ''),
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

/** A further process on the data and the Redis of `app`. */
export async function startProcess(t: Test, app: FastifyInstance, env: Record<string, string>) {
  const folder = dataDir(t)
  if (!app.config.databaseUrl) symlinkSync(join(app.config.dataDir, 'svc.db'), join(folder, 'svc.db'))
  const child: ChildProcess = fork(fileURLToPath(new URL('process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    env: {
      PATH: process.env.PATH,
      BASE_URL: BASE,
      DATA_DIR: folder,
      REDIS_URL: app.config.redisUrl ?? '',
      DATABASE_URL: app.config.databaseUrl ?? '',
      ...env,
    },
  })
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
