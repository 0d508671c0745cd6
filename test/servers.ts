import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { rootDir } from '../common/package.js'
import { openDatabase } from '../storage/open-database.js'
import { openConnection } from '../storage/sqlite/sqlite-dialect.js'
import { freePort } from './free-port.js'
import { type PoolMode, startPgBouncer } from './pgbouncer.js'
import { PostgresServer, TEMPLATE } from './postgres-server.js'

/**
 * What all test files of a run share: Redis, Postgres and the built service. Each is started by the first test that
 * asks for it, and stopped by the runner, or by this process if no runner started it.
 */
const folder = process.env.TEST_SERVERS ?? ownFolder()

function ownFolder(): string {
  const own = mkdtempSync(join(tmpdir(), 'svc-test-servers-'))
  process.once('exit', () => stopServers(own))
  return own
}

/** The port of Redis on 127.0.0.1, with 4,096 databases. */
export const redisPort = async (): Promise<number> => (await shared('redis', startRedis)).port

/** The address of Postgres, in which `TEMPLATE` is a migrated database. */
export const postgresServer = async (): Promise<string> => (await shared('postgres', startPostgres)).url

/** The address of PgBouncer in front of that Postgres. */
export const poolerOf = async (mode: PoolMode): Promise<{ port: number }> =>
  shared(`pgbouncer-${mode}`, async () => {
    const { port, folder, child } = await startPgBouncer(await postgresServer(), mode)
    return { port, folder, pid: child.pid }
  })

/** A migrated embedded database: copying it is faster than migrating. */
export const embeddedTemplate = async (): Promise<string> => (await shared('embedded', migrateEmbedded)).file

/** The folder of the service as `npm run build` builds it. */
export async function builtFolder(): Promise<string> {
  return (await shared('built', buildService)).folder
}

/** Stops what tests have started, and removes its files. */
export function stopServers(servers: string): void {
  for (const name of readdirSync(servers).filter(name => name.endsWith('.json'))) {
    const { pid, folder: files } = JSON.parse(readFileSync(join(servers, name), 'utf8'))
    // Postgres ends at once, without saving what nobody will read.
    if (pid) kill(pid, name === 'postgres.json' ? 'SIGQUIT' : 'SIGKILL')
    if (files) rmSync(files, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
  rmSync(servers, { recursive: true, force: true })
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself.
  }
}

/** What `start` resolves with, which only one of all processes calls. */
async function shared<T>(name: string, start: () => Promise<T>): Promise<T> {
  const file = join(folder, `${name}.json`)
  if (!existsSync(file) && isFirst(name)) {
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
function isFirst(name: string): boolean {
  try {
    mkdirSync(join(folder, name))
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
  return { port, pid: server.pid, folder: files }
}

async function startPostgres() {
  const server = await PostgresServer.start()
  const client = new Client({ connectionString: server.url() })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const databaseUrl = server.url(TEMPLATE)
  await (await openDatabase({ dataDir: server.folder, databaseUrl, role: 'server' })).close()
  return { url: server.url(), pid: server.pid, folder: server.folder }
}

async function migrateEmbedded() {
  const files = mkdtempSync(join(tmpdir(), 'svc-embedded-'))
  await (await openDatabase({ dataDir: files, databaseUrl: null, role: 'server' })).close()
  const file = join(files, 'svc.db')
  await moveLogInto(file)
  return { file, folder: files }
}

/** Only the file is copied, and the driver of Node 20 leaves the log beside it. */
async function moveLogInto(file: string): Promise<void> {
  const connection = await openConnection(file, 'write')
  const { busy } = connection.prepare('pragma wal_checkpoint(TRUNCATE)').get([]) as { busy: number }
  connection.close()
  if (busy !== 0) throw new Error(`The log of ${file} was not moved into it.`)
}

async function buildService() {
  const built = mkdtempSync(join(tmpdir(), 'svc-built-'))
  for (const name of ['node_modules', 'package.json', 'known-clients', 'sample', 'views', 'public'])
    symlinkSync(join(rootDir, name), join(built, name))
  const args = [join('scripts', 'build.mjs'), '--to', join(built, 'dist')]
  execFileSync(process.execPath, args, { cwd: rootDir, stdio: 'inherit' })
  return { folder: built }
}
