// Runs once before all tests (.taprc): starts Redis and Postgres, builds the service, and writes
// test/servers.json.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { Client } from 'pg'
import { rootDir } from '../common/package.js'
import { openDatabase } from '../storage/open-database.js'
import { freePort } from './free-port.js'
import { PostgresServer, TEMPLATE } from './postgres-server.js'

const port = await freePort()
const folder = mkdtempSync(join(tmpdir(), 'svc-redis-'))
const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
const server = spawn('redis-server', [...args, '--databases', '4096'], { detached: true, stdio: 'ignore' })
server.on('error', () => {
  process.stderr.write('The tests need redis-server: apt-get install redis-server\n')
  process.exit(1)
})
const redis = new Redis(port, '127.0.0.1', { retryStrategy: () => 50 })
redis.on('error', () => {})
await redis.ping()
redis.disconnect()
const postgres = await PostgresServer.start().catch(error => {
  process.stderr.write(`The tests need Postgres: apt-get install postgresql\n${error.message}\n`)
  if (server.pid) process.kill(server.pid)
  process.exit(1)
})
await makeTemplate()
const servers = {
  redisPort: port,
  redisPid: server.pid,
  postgresUrl: postgres.url(),
  postgresPid: postgres.pid,
  postgresFolder: postgres.folder,
  builtFolder: buildService(),
}
writeFileSync(new URL('servers.json', import.meta.url), JSON.stringify(servers))
server.unref()

/** Builds the service, as `npm run build` does, into a temporary folder. */
function buildService(): string {
  const built = mkdtempSync(join(tmpdir(), 'svc-built-'))
  for (const name of ['node_modules', 'package.json', 'known-clients', 'sample', 'views', 'public'])
    symlinkSync(join(rootDir, name), join(built, name))
  const args = [join('scripts', 'build.mjs'), '--to', join(built, 'dist')]
  execFileSync(process.execPath, args, { cwd: rootDir, stdio: 'inherit' })
  return built
}

async function makeTemplate(): Promise<void> {
  const client = new Client({ connectionString: postgres.url() })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const databaseUrl = postgres.url(TEMPLATE)
  await (await openDatabase({ dataDir: postgres.folder, databaseUrl, role: 'server' })).close()
}
