import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { build, dataDir, postgresUrl } from '../../helper.js'
import { addLighthouse } from '../../lighthouse.js'
import { TEMPLATE } from '../../postgres-server.js'
import { runHere } from '../cli/svc.js'
import { assistantOf } from '../oauth/assistant.js'
import { file, people } from '../safes/open.js'

/** The databases of a service. */
export const overs = ['sqlite', 'postgres'] as const

/**
 * A folder, and for Postgres a database, empty or a copy of a template; `env` has the settings for the service and the
 * command line.
 */
export async function place(t: Test, over: (typeof overs)[number], template?: string) {
  const folder = dataDir(t)
  const env = over === 'postgres' ? { DATABASE_URL: await postgresUrl(t, template) } : {}
  return { folder, env, command: (...args: string[]) => runHere(folder, args, '', env) }
}

/**
 * Stops a service. Its threads keep connections to SQLite open until this process ends, so later steps use a copy of
 * its folder that nobody has opened.
 */
export async function stop(t: Test, app: FastifyInstance, env: Record<string, string>) {
  await app.close()
  const folder = dataDir(t)
  for (const name of readdirSync(app.config.dataDir).filter(name => /\.db(?:-wal)?$/.test(name)))
    copyFileSync(join(app.config.dataDir, name), join(folder, name))
  return { folder, command: (...args: string[]) => runHere(folder, args, '', env) }
}

/**
 * A running installation with an account, a connected assistant and two Safes, one of them with the given number of
 * people.
 */
export async function installation(t: Test, over: (typeof overs)[number], count = 70) {
  const there = await place(t, over, TEMPLATE)
  const app = await build(t, { setUp: 'embedded', env: { DATA_DIR: there.folder, ...there.env } })
  const { assistant, id: owner } = await assistantOf(app)
  const sample = await addLighthouse(app, owner)
  const { id } = await app.safes.create(owner, 'Käse, 漢字, 🙂')
  await app.safes.imports.add(owner, id, file('people.nt', people(count)))
  const tokens = await assistant.connect()
  return { ...there, app, assistant, owner, sample, id, tokens }
}

/** All rows except the times of migrations. */
export const rowsOf = (all: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('kysely')))

/** The names of the files in a Safe. */
export const sourcesIn = async (app: FastifyInstance, owner: string, safe: string) =>
  (await app.safes.imports.list(owner, safe, { limit: 1000 })).map(({ source }) => source)
