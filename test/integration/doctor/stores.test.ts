import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import t from 'tap'
import { installationTexts } from '../../../domain/doctor/checks/installation-texts.js'
import { examine } from '../../../domain/doctor/examine.js'
import { createFetchDocument } from '../../../domain/oauth/clients/document-fetch.js'
import { ClientStore } from '../../../domain/oauth/stores/client.sql.js'
import { showTime } from '../../../platform/common/format.js'
import { openPostgresReader } from '../../../platform/storage/postgres/postgres.js'
import { build, dataDir } from '../../helper.js'
import { documentServer, nameServer, onLoopback, publish } from '../oauth/document-server.js'
import { startCluster, startRedis } from '../redis/servers.js'
import { found, installationOf } from './set-up.js'

const m = installationTexts
const HOUR = 3_600_000
const FIVE_MINUTES = 5 * 60_000

t.test('Redis', async t => {
  const server = await startRedis(t, '--appendonly', 'yes')
  const app = await build(t, { env: { REDIS_URL: server.url } })
  await app.redis?.set('login:x', '', 'PX', 60_000)
  const check = async () => (await found(installationOf(app, undefined))).filter(([name]) => name === 'redis')
  const set = (name: string, value: string) => server.ask('config', 'set', name, value)
  t.strictSame(await check(), [])
  const [key = ''] = (await server.ask('keys', '*')) as string[]
  const id = key.slice(0, key.indexOf(':'))
  t.match(id, /^[0-9A-Za-z]{22}$/)
  const { results } = await examine(installationOf(app, undefined))
  t.match(results.find(({ check }) => check === 'redis')?.findings, [
    { level: 'note', ...m.redis.keysBeginWith(id) },
  ])

  await set('maxmemory-policy', 'allkeys-lru')
  t.strictSame(await check(), [['redis', 'problem', m.redis.evicts('allkeys-lru').what]])
  await set('maxmemory-policy', 'noeviction')

  await set('appendonly', 'no')
  t.strictSame(await check(), [['redis', 'warning', m.redis.noFile.what]])
  await set('save', '60 1')
  t.strictSame(await check(), [['redis', 'problem', m.redis.snapshotsOnly.what]])

  await server.kill()
  t.match(await check(), [['redis', 'problem', /^Redis does not answer: /]])
})

t.test('a wrong password of Redis is one finding, in words', async t => {
  const server = await startRedis(t, '--appendonly', 'yes')
  await server.ask('config', 'set', 'requirepass', 'right-password')
  for (const url of [server.url, server.url.replace('//', '//:wrong-password@')]) {
    const redis = async () => (await import('../../../platform/storage/redis/redis-client.js')).openRedis(url)
    const app = await build(t)
    const findings = await found(installationOf(app, undefined, { redis }))
    t.strictSame(
      findings.filter(([name]) => name === 'redis'),
      [['redis', 'problem', m.redis.password.what]],
    )
  }
})

t.test('a Postgres that is read-only', async t => {
  const app = await build(t, { setUp: 'postgres' })
  const check = async () =>
    (await found(installationOf(app, undefined))).filter(([name]) => name === 'database')
  t.strictSame(await check(), [])
  const name = new URL(app.config.databaseUrl ?? '').pathname.slice(1)
  const readOnly = sql.raw(`alter database ${name} set default_transaction_read_only = on`)
  await readOnly.execute(app.database.read)
  const reader = openPostgresReader(app.config.databaseUrl ?? '')
  t.teardown(() => reader.destroy())
  const findings = await found(installationOf(app, undefined, { database: async () => reader }))
  t.strictSame(
    findings.filter(([name]) => name === 'database'),
    [['database', 'problem', m.readOnly.what]],
  )
})

t.test('each primary of a cluster is examined', async t => {
  const servers = await startCluster(t)
  const url = `redis+cluster://127.0.0.1:${servers[0]?.port}`
  const app = await build(t, { env: { REDIS_URL: url } })
  const check = async () => (await found(installationOf(app, undefined))).filter(([name]) => name === 'redis')
  t.strictSame(await check(), [])
  await servers[2]?.ask('config', 'set', 'maxmemory-policy', 'volatile-ttl')
  t.strictSame(await check(), [['redis', 'problem', m.redis.evicts('volatile-ttl').what]])
})

t.test('the clock of this machine is compared with those of Postgres and Redis', async t => {
  const app = await build(t, { setUp: 'postgres' })
  const check = async (offset: number) =>
    (await found(installationOf(app, undefined, { clock: () => Date.now() + offset }))).filter(
      ([name]) => name === 'clock',
    )
  t.strictSame(await check(0), [])
  t.strictSame(await check(FIVE_MINUTES), [
    ['clock', 'problem', m.clock.differs('Postgres', -300).what],
    ['clock', 'problem', m.clock.differs('Redis', -300).what],
  ])
  t.strictSame(await check(-10_000), [
    ['clock', 'warning', m.clock.differs('Postgres', 10).what],
    ['clock', 'warning', m.clock.differs('Redis', 10).what],
  ])
})

t.test('backups', async t => {
  const folder = dataDir(t)
  const app = await build(t, { env: { BACKUP_DIR: folder, BACKUP_EVERY: '6h' } })
  const now = Date.UTC(2026, 5, 2)
  const check = async (at = now) =>
    (await found(installationOf(app, undefined, { clock: () => at }))).filter(([name]) => name === 'backups')
  t.strictSame(await check(), [['backups', 'problem', m.backups.none(folder).what]])
  const file = join(folder, 'svc-2026-06-01T18-00-00Z.db')
  writeFileSync(file, '')
  t.strictSame(await check(), [])
  t.strictSame(await check(now + 6 * HOUR), [])
  t.strictSame(await check(now + 6 * HOUR + 1), [
    ['backups', 'problem', m.backups.old(file, showTime(now - 6 * HOUR)).what],
  ])
  rmSync(folder, { recursive: true })
  t.match(await check(), [['backups', 'problem', /^Backups cannot be made in .*ENOENT/]])
  mkdirSync(folder)
})

t.test('documents of connected assistants', async t => {
  const server = await documentServer(t, publish())
  const fetchDocument = createFetchDocument(onLoopback(await nameServer(t)))
  const app = await build(t)
  const clients = new ClientStore(app.database)
  const id = server.at('/oauth/client.json')
  const add = (id: string, name: string, lastUsedAt: number | null) =>
    clients.add({
      id,
      name,
      redirectUris: ['https://a.example/cb'],
      grantTypes: ['authorization_code'],
      createdAt: 0,
      lastUsedAt,
    })
  await add(id, 'Documented', Date.now())
  await add(server.at('/unused.json'), 'Unused', null)
  await add(server.at('/old.json'), 'Not for 91 days', Date.now() - 91 * 24 * HOUR)
  await add('svc_client_1', 'Registered', Date.now())
  const check = async () =>
    (await found(installationOf(app, undefined, { fetchDocument }))).filter(([name]) => name === 'clients')
  t.strictSame(await check(), [])
  t.equal(server.requests.length, 1)
  server.respond = (_request, response) => response.writeHead(404).end()
  t.strictSame(await check(), [
    ['clients', 'warning', m.clients('Documented', id, 'responds with status 404 instead of 200').what],
  ])
  server.respond = request => request.socket.destroy()
  t.match(await check(), [
    ['clients', 'warning', /^The metadata document of Documented at .* cannot be reached/],
  ])
})
