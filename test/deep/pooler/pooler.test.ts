import { sql } from 'kysely'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { MIGRATIONS } from '../../../platform/storage/migrate.js'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { CurrentServer } from '../../../platform/storage/postgres/current-server.js'
import { findPooler } from '../../../platform/storage/postgres/pooler.js'
import { postgresPool } from '../../../platform/storage/postgres/postgres-pool.js'
import { builtCli } from '../../built-cli.js'
import { dataDir, postgresUrl } from '../../helper.js'
import { runHere } from '../../integration/cli/svc.js'
import { buildService } from '../../integration/mcp/service.js'
import { PASSWORD } from '../../integration/pages/browser.js'
import { addLighthouse } from '../../lighthouse.js'
import { type PoolMode, startPgBouncer, throughPooler } from '../../pgbouncer.js'
import { TEMPLATE } from '../../postgres-server.js'
import { rpc } from '../../unit/mcp/domain.js'
import { until } from '../../until.js'

const QUESTION = { name: 'svc', arguments: { query: 'Who leads the Lens Restoration?' } }

/** PgBouncer in front of a database of its own, until the test ends. */
async function pooled(t: Test, mode: PoolMode, settings = {}, template = TEMPLATE) {
  const direct = await postgresUrl(t, template)
  const start = async (mode: PoolMode, settings: object) => {
    const pooler = await startPgBouncer(direct, mode, { ...settings })
    const stop = () =>
      new Promise(resolve => {
        if (pooler.child.exitCode !== null || pooler.child.signalCode) return resolve(null)
        pooler.child.ref()
        pooler.child.once('exit', resolve).kill('SIGKILL')
      })
    t.teardown(stop)
    return { pooler, stop }
  }
  const { pooler, stop } = await start(mode, settings)
  const restart = async (mode: PoolMode) => {
    await stop()
    await start(mode, { listen_port: pooler.port })
  }
  return { direct, url: throughPooler(direct, pooler), restart }
}

async function connect(t: Test, url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  t.teardown(() => client.end())
  return client
}

for (const [mode, settings, expected] of [
  ['session', {}, 'session'],
  ['session', { ignore_startup_parameters: 'statement_timeout' }, 'session'],
  ['transaction', {}, 'transaction'],
  ['transaction', { server_round_robin: 1 }, 'transaction'],
  ['transaction', { default_pool_size: 1 }, 'transaction'],
] as const)
  t.test(`${mode} mode with ${JSON.stringify(settings)} is recognized (ADR 81)`, async t => {
    const { url } = await pooled(t, mode, settings)
    t.equal(await findPooler(url), expected)
  })

t.test('statement mode is refused in words, and Postgres itself is recognized (ADR 81)', async t => {
  const { url, direct } = await pooled(t, 'statement')
  t.equal(await findPooler(direct), 'none')
  const opening = openDatabase({ dataDir: dataDir(t), databaseUrl: url, role: 'server' })
  await t.rejects(opening, /^DATABASE_URL: the pooler is in statement mode/)
})

t.test('five processes that start together in transaction mode migrate once (ADR 81)', async t => {
  const { url, direct } = await pooled(t, 'transaction', {}, 'template1')
  const svc = await builtCli(dataDir(t), { DATABASE_URL: url })
  await Promise.all(Array.from({ length: 5 }, () => svc.run(['migrate'])))
  const client = await connect(t, direct)
  const { rowCount } = await client.query('select name from kysely_migration')
  t.equal(rowCount, Object.keys(MIGRATIONS).length, 'each migration once')
  const locks = await client.query(
    `select 1 from pg_locks join pg_database on pg_database.oid = database
      where locktype = 'advisory' and datname = current_database()`,
  )
  t.equal(locks.rowCount, 0)
})

for (const mode of ['session', 'transaction'] as const)
  t.test(`a statement that takes too long ends in Postgres as well: ${mode} mode (ADR 81)`, async t => {
    const { url, direct } = await pooled(t, mode)
    const pool = postgresPool({ server: new CurrentServer(url), max: 2, queryMs: 300 })
    t.teardown(() => pool.end())
    const client = await pool.connect()
    await t.rejects(client.query('select pg_sleep(600)', []), /Postgres is unavailable/)
    client.release()
    const sleeping = "select 1 from pg_stat_activity where query like '%pg_sleep(600)' and state = 'active'"
    const other = await connect(t, direct)
    await until(async () => (await other.query(sleeping)).rowCount === 0)
    const next = await pool.connect()
    t.match(await next.query('select 1 as one', []), { rows: [{ one: 1 }] })
    next.release()
  })

t.test('a pooler that changes to transaction mode: questions and pages go on (ADR 81)', async t => {
  const { url, restart } = await pooled(t, 'session')
  const { app, issue, poster } = await buildService(t, { setUp: 'postgres', env: { DATABASE_URL: url } })
  const owner = await app.accounts.add('ann@example.org', PASSWORD)
  const safe = await addLighthouse(app, owner.id)
  const client = poster(await issue(owner.id, { chosenSafeIds: [safe.id] }))
  const asked = async () => {
    const { statusCode, body } = await client.send(rpc(1, 'tools/call', QUESTION))
    return statusCode === 200 ? body.includes('Jonas Lindqvist') : statusCode
  }
  t.equal(await asked(), true)
  await restart('transaction')
  await until(async () => (await app.inject('/readyz')).statusCode === 200)
  const answers = await Promise.all(Array.from({ length: 200 }, asked))
  // Connections that ended in the restart may only be noticed now.
  t.strictSame(new Set(answers.filter(answer => answer !== 503)), new Set([true]))
  const all = await Promise.all(Array.from({ length: 20 }, (_, n) => app.safes.create(owner.id, `Safe ${n}`)))
  t.equal(new Set(all.map(({ id }) => id)).size, 20)
})

t.test('svc config and svc doctor say the mode, svc restore wants the direct address (ADR 81)', async t => {
  const { url } = await pooled(t, 'transaction')
  const folder = dataDir(t)
  const svc = (args: string[], input = '') => runHere(folder, args, input, { DATABASE_URL: url })
  t.match(await svc(['config']), { code: 0, stderr: /through a pooler in transaction mode/ })
  t.match((await svc(['doctor'])).stdout, /through a pooler in transaction mode/)
  t.match(await svc(['account', 'add', 'ann@example.org', '--password-stdin'], PASSWORD), { code: 0 })
  t.match(await svc(['backup', `${folder}/b.db`]), { code: 0 })
  const restored = await svc(['restore', `${folder}/b.db`, '--yes'])
  t.match(restored, { code: 1, stderr: /Restore with the direct address of Postgres/ })
})

t.test('the locks of writers hold in transaction mode (ADR 4)', async t => {
  const { url } = await pooled(t, 'transaction')
  const [one, other] = await Promise.all(
    [1, 2].map(() => openDatabase({ dataDir: dataDir(t), databaseUrl: url, role: 'server' })),
  )
  t.teardown(() => Promise.all([one?.close(), other?.close()]))
  let inside = 0
  const work = () =>
    [one, other].map(database =>
      database?.write(async trx => {
        inside += 1
        t.equal(inside, 1)
        await sql`select pg_sleep(0.01)`.execute(trx)
        inside -= 1
      }, 'the-same'),
    )
  await Promise.all(Array.from({ length: 10 }, work).flat())
})
