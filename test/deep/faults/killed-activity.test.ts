import { mock } from 'node:test'
import t, { type Test } from 'tap'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { startServer } from '../../built-server.js'
import { build } from '../../helper.js'
import { BASE } from '../../integration/oauth/assistant.js'
import { addLighthouse } from '../../lighthouse.js'
import { builtFolder } from '../../servers.js'
import { until } from '../../until.js'

t.test('activity is written every second', async t => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const app = await build(t)
  const { id } = await app.accounts.add('ann@a.example', 'a password for the tests')
  await app.activity.flush()
  app.activity.record({ kind: 'exported', accountId: id })
  mock.timers.tick(1000)
  await until(
    async () => (await app.activity.ofAccount(id, { kind: 'exported', limit: 1 })).entries.length === 1,
  )
  t.pass('without anybody asking for it')
})

t.test(
  'activity is written while the service runs, and kill -9 loses nothing of what was written',
  async t => {
    const { server, database, ask } = await open(t)
    const kept = async () => {
      const rows = await database.read
        .selectFrom('activity')
        .where('kind', '=', 'question')
        .selectAll()
        .execute()
      return rows.map(({ question }) => question)
    }
    const asked = Array.from({ length: 50 }, (_, i) => `Question ${i}`)
    for (const question of asked) await ask(question)
    await until(async () => (await kept()).includes(asked.at(-1) ?? ''))
    const asking = (async () => {
      for (let i = 0; ; i++) await ask(`Later ${i}`)
    })().catch(() => {})
    await until(async () => (await kept()).some(question => question?.startsWith('Later')))
    const before = await kept()
    server.child.kill('SIGKILL')
    await Promise.all([server.ended, asking])
    const after = new Set(await kept())
    for (const question of [...asked, ...before]) t.ok(after.has(question))
  },
)

/** The built service with a connection that asks it, and its database. */
async function open(t: Test) {
  const seed = await build(t)
  const { id } = await seed.accounts.add('ann@a.example', 'a password for the tests')
  const safe = await addLighthouse(seed, id)
  const grant = { chosenSafeIds: [safe.id] }
  const { accessToken } = await seed.oauth.issueTokens(id, { clientName: 'Claude', grant })
  await seed.close()
  const { dataDir, databaseUrl, redisUrl } = seed.config
  const stores = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '', REDIS_URL: redisUrl ?? '' }
  const server = await startServer(t, await builtFolder(), { ...stores, BASE_URL: BASE })
  const database = await openDatabase({ dataDir, databaseUrl, role: 'cli' })
  t.teardown(() => database.close())
  const ask = async (query: string) => {
    const params = { name: 'svc', arguments: { query } }
    const response = await fetch(`${server.url}/mcp/v1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    const { result } = (await response.json()) as { result?: { isError?: boolean } }
    if (!result || result.isError) throw new Error(`the question was answered ${response.status}`)
  }
  return { server, database, ask }
}
