import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { rootDir } from '../platform/common/package.js'
import { MIGRATIONS } from '../platform/storage/migrate.js'
import { openDatabase } from '../platform/storage/open-database.js'
import { openConnection } from '../platform/storage/sqlite/sqlite-dialect.js'
import { freePort } from './free-port.js'
import { type PoolMode, startPgBouncer } from './pgbouncer.js'
import { PostgresServer, TEMPLATE } from './postgres-server.js'

/**
 * Resources that all test files of a run share: Redis, Postgres and the built service. The first test that needs one
 * starts it. The runner stops them, or this process if it runs without one.
 */
const runFolder = (): string => process.env.TEST_SERVERS ?? ownFolder()

function ownFolder(): string {
  const env = makeRunFolder()
  Object.assign(process.env, env)
  process.once('exit', () => stopServers(env.TEST_SERVERS))
  return env.TEST_SERVERS
}

/**
 * A folder for a run. All temporary files are in it, so that failed and interrupted tests leave nothing behind.
 * @returns the environment of its processes
 */
export function makeRunFolder() {
  const run = mkdtempSync(join(tmpdir(), 'svc-run-'))
  // Postgres runs as its own user.
  chmodSync(run, 0o711)
  return { TEST_SERVERS: run, TMPDIR: run }
}

/** The port of Redis on 127.0.0.1, with 4,096 databases. */
export const redisPort = async (): Promise<number> => (await shared('redis', startRedis)).port

/** The address of Postgres; its database `TEMPLATE` is migrated. */
export const postgresServer = async (): Promise<string> => (await shared('postgres', startPostgres)).url

/** The address of PgBouncer in front of that Postgres. */
export const poolerOf = async (mode: PoolMode): Promise<{ port: number }> =>
  shared(`pgbouncer-${mode}`, async () => {
    const { port, child } = await startPgBouncer(await postgresServer(), mode)
    return { port, pid: child.pid }
  })

/** A migrated embedded database: copying it is faster than migrating. */
export const embeddedTemplate = async (): Promise<string> => (await shared('embedded', migrateEmbedded)).file

/** The folder of the service as `npm run build` builds it. */
export async function builtFolder(): Promise<string> {
  return (await shared('built', buildService)).folder
}

/** Stops everything that tests have started, and removes their files. */
export function stopServers(run: string): void {
  for (const name of readdirSync(run).filter(name => name.endsWith('.json'))) {
    const { pid } = JSON.parse(readFileSync(join(run, name), 'utf8'))
    // Postgres ends at once, without saving data that nobody will read.
    if (pid) kill(pid, name === 'postgres.json' ? 'SIGQUIT' : 'SIGKILL')
  }
  stopProcessesIn(run)
  rmSync(run, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

/** The processes of an interrupted run, and their children. */
function stopProcessesIn(run: string): void {
  for (let attempt = 0; attempt < 100; attempt++) {
    const left = processesIn(run)
    if (left.length === 0) return
    // Postgres would leave its shared memory if it were killed.
    for (const { pid, command } of left)
      kill(pid, command.includes('postgres') && attempt < 50 ? 'SIGTERM' : 'SIGKILL')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  }
}

/** Processes with a folder in their command, environment or working directory. None are found without `/proc`. */
function processesIn(run: string): { pid: number; command: string }[] {
  if (!existsSync('/proc')) return []
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.flatMap(pid => {
    if (pid === process.pid) return []
    try {
      const [command = '', environment] = ['cmdline', 'environ'].map(name =>
        readFileSync(`/proc/${pid}/${name}`, 'latin1'),
      )
      const isIn = `${command} ${environment} ${readlinkSync(`/proc/${pid}/cwd`)}`.includes(run)
      return isIn ? [{ pid, command }] : []
    } catch {
      // It has ended, or belongs to another user.
      return []
    }
  })
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself.
  }
}

/** The result of `start`, which only one of all processes calls. */
async function shared<T>(name: string, start: () => Promise<T>): Promise<T> {
  const folder = runFolder()
  const file = join(folder, `${name}.json`)
  if (!existsSync(file) && isFirst(join(folder, name))) {
    try {
      writeFileSync(`${file}.part`, JSON.stringify(await start()))
      renameSync(`${file}.part`, file)
    } catch (error) {
      rmSync(join(folder, name), { recursive: true })
      throw error
    }
  }
  while (!existsSync(file)) {
    if (!existsSync(join(folder, name))) throw new Error(`${name} could not be started`)
    await pause(20)
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Making a folder is atomic. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

async function startRedis() {
  const port = await freePort()
  const files = mkdtempSync(join(tmpdir(), 'svc-redis-'))
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', files]
  const server = spawn('redis-server', [...place, '--save', '', '--databases', '4096'], {
    detached: true,
    stdio: 'ignore',
  })
  server.unref()
  const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 50 })
  redis.on('error', () => {})
  await redis.ping()
  redis.disconnect()
  return { port, pid: server.pid }
}

async function startPostgres() {
  const server = await PostgresServer.start()
  const client = new Client({ connectionString: server.url() })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const databaseUrl = server.url(TEMPLATE)
  await migrated({ dataDir: server.folder, databaseUrl })
  return { url: server.url(), pid: server.pid }
}

/** Migrates a template, without migrations that a test may have added in this process. */
async function migrated(place: { dataDir: string; databaseUrl: string | null }): Promise<void> {
  const added = Object.entries(MIGRATIONS).filter(([name]) => name.startsWith('8'))
  for (const [name] of added) delete MIGRATIONS[name]
  await (await openDatabase({ ...place, role: 'server' })).close()
  Object.assign(MIGRATIONS, Object.fromEntries(added))
}

async function migrateEmbedded() {
  const files = mkdtempSync(join(tmpdir(), 'svc-embedded-'))
  await migrated({ dataDir: files, databaseUrl: null })
  const file = join(files, 'svc.db')
  await moveLogInto(file)
  return { file }
}

/** Only the file is copied, and the driver of Node 20 leaves the log next to it. */
async function moveLogInto(file: string): Promise<void> {
  const connection = await openConnection(file, 'write')
  const { busy } = connection.prepare('pragma wal_checkpoint(TRUNCATE)').get([]) as { busy: number }
  connection.close()
  if (busy !== 0) throw new Error(`The log of ${file} was not moved into it.`)
}

/** Folders and files that the built service reads. */
const DATA = [
  'domain/oauth/clients/known',
  'domain/safes/sample',
  'engine/formats/office/character-maps.json',
  'engine/graph/text/languages/words.json',
]

async function buildService() {
  const built = mkdtempSync(join(tmpdir(), 'svc-built-'))
  for (const name of ['node_modules', 'package.json', ...DATA, 'views', 'public']) {
    mkdirSync(join(built, dirname(name)), { recursive: true })
    symlinkSync(join(rootDir, name), join(built, name))
  }
  const args = [join('scripts', 'build.mjs'), '--to', join(built, 'dist')]
  execFileSync(process.execPath, args, { cwd: rootDir, stdio: 'inherit' })
  return { folder: built }
}
