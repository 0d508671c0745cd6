// What live tokens take of a Redis's memory: `npm run bench -- redis-memory [COUNT]`, by default 1,000,000. Everything
// is written by the service's own store into a redis-server of its own.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { hashSecret, newId, newSecret } from '../../common/secrets.js'
import type { Grant } from '../../oauth/connections/access.js'
import { expiries } from '../../oauth/lifetime.js'
import { RedisGrantStore } from '../../oauth/stores/grant.redis.js'
import { openRedis } from '../../storage/redis/redis-client.js'
import { freePort } from '../../test/free-port.js'

const CALLBACK = 'https://claude.ai/api/mcp/auth_callback'
const AT_ONCE = 100
const count = Number(process.argv[2] ?? 1_000_000)
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-redis-'))
const port = await freePort()
const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
const server = spawn('redis-server', args, { stdio: 'ignore' })
const admin = new Redis(port, '127.0.0.1', { retryStrategy: () => 50 }).on('error', () => {})
await admin.ping()
const redis = await openRedis(`redis://127.0.0.1:${port}`)
const store = new RedisGrantStore(redis)

const ids = Array.from({ length: count }, () => newId())
const some = ids.slice(0, Math.min(count, 100_000))
const begun = performance.now()
const empty = await memory()
const connections = await grown('connections, each with its tokens', ids, connect)
console.log(`Written in ${Math.round((performance.now() - begun) / 1000)} s; ${await describeServer()}\n`)
console.log('| | how many | bytes each |\n|---|---:|---:|')
console.log(connections)
console.log(await grown('further access tokens (refreshed within the hour)', some, refresh))
console.log(await grown('MCP sessions, the first of a connection', some, openSession))
console.log(await grown('MCP sessions, the second', some, openSession))
console.log(`\n${await keysOfOne()}`)

redis.disconnect()
admin.disconnect()
server.kill()
rmSync(folder, { recursive: true, force: true })

/** A row: how much memory `work` for all of `ids` took. */
async function grown(what: string, ids: string[], work: (id: string) => Promise<unknown>): Promise<string> {
  const before = await memory()
  // A busy machine may begin a step too late, which is told and can be repeated.
  const patiently = (id: string) => work(id).catch(() => work(id))
  for (let i = 0; i < ids.length; i += AT_ONCE) await Promise.all(ids.slice(i, i + AT_ONCE).map(patiently))
  return `| ${what} | ${ids.length} | ${Math.round(((await memory()) - before) / ids.length)} |`
}

/** Approved, redeemed and with a Safe selected, by a client like Claude. */
async function connect(id: string): Promise<void> {
  const now = Date.now()
  const grant: Grant = {
    accountId: newId(),
    clientId: `svc_client_${newSecret()}`,
    scope: ['vault:read'],
    resource: 'user',
    resourceSent: true,
    chosenSafeIds: [newId()],
    onlyChosenSafe: false,
  }
  const code = { hash: newHash(), expiresAt: expiries(now).code, redirectUri: CALLBACK, challenge: newHash() }
  await store.beginWithCode(id, grant, code, now)
  const { outcome } = await store.redeem({
    connectionId: id,
    codeHash: code.hash,
    clientId: grant.clientId,
    redirectUri: CALLBACK,
    challenge: code.challenge,
    resource: null,
    now,
    access: { hash: newHash(), expiresAt: expiries(now).access },
    refresh: { hash: hashSecret(`refresh ${id}`), expiresAt: expiries(now).refresh },
  })
  if (outcome !== 'redeemed') throw new Error(outcome)
}

async function refresh(id: string): Promise<void> {
  const now = Date.now()
  const grant = await store.find(id)
  const { outcome } = await store.rotate({
    connectionId: id,
    presented: { hash: hashSecret(`refresh ${id}`), generation: 1 },
    clientId: grant?.clientId ?? '',
    resource: null,
    scope: null,
    now,
    access: { hash: newHash(), expiresAt: expiries(now).access },
    refresh: { hash: newHash(), expiresAt: expiries(now).refresh },
    sealed: null,
    graceSeconds: 0,
  })
  if (outcome !== 'rotated') throw new Error(outcome)
}

function openSession(id: string): Promise<void> {
  const now = Date.now()
  const session = { hash: newHash(), expiresAt: now + 7 * 24 * 3_600_000 }
  return store.openSession(
    id,
    { ...session, protocolVersion: '2025-06-18', showsApps: false, selectedSafeId: newId() },
    now,
  )
}

function newHash(): string {
  return hashSecret(newSecret())
}

async function memory(): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await admin.info('memory'))?.[1])
}

async function describeServer(): Promise<string> {
  const version = /^redis_version:(\S+)/m.exec(await admin.info('server'))?.[1]
  const resident = Number(/^used_memory_rss:(\d+)/m.exec(await admin.info('memory'))?.[1])
  const mb = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
  return `redis-server ${version}: used_memory ${mb((await memory()) - empty)}, resident ${mb(resident)}, ${await admin.dbsize()} keys.`
}

/** What Redis itself says of each key of a connection. */
async function keysOfOne(): Promise<string> {
  const keys = (await admin.keys(`oauth:{${ids[0]}}:*`)).sort()
  const rows = keys.map(async key => {
    const kind = key.replace(/^oauth:\{\w+\}:/, '').replace(/:.*/, '')
    return `${kind} ${await admin.memory('USAGE', key)} (${await admin.object('ENCODING', key)})`
  })
  return `MEMORY USAGE of the keys of one: ${(await Promise.all(rows)).join(', ')}.`
}
