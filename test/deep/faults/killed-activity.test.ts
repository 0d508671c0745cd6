import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openDatabase } from '../../../storage/open-database.js'
import { startServer } from '../../built-server.js'
import { build, type SetUp } from '../../helper.js'
import { BASE } from '../../integration/oauth/assistant.js'
import { builtFolder } from '../../servers.js'

/** A flush begins within a second; so much later it is done. */
const KEPT_AFTER_MS = 1500
const ASK_FOR_MS = 4000

t.test('kill -9 loses at most the last second of activity', async t => {
  const files = await builtFolder()
  for (const setUp of ['embedded', 'postgres'] as const) {
    await t.test(setUp, t => killWhileAsking(t, files, setUp))
  }
})

async function killWhileAsking(t: Test, files: string, setUp: SetUp): Promise<void> {
  const seed = await build(t, { setUp })
  const { id } = await seed.accounts.add('ann@a.example', 'a password for the tests')
  const safe = await seed.safes.createSample(id)
  const grant = { chosenSafeIds: [safe.id] }
  const { accessToken } = await seed.oauth.issueTokens(id, { clientName: 'Claude', grant })
  await seed.close()
  const { dataDir, databaseUrl, redisUrl } = seed.config
  const stores = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '', REDIS_URL: redisUrl ?? '' }
  const server = await startServer(t, files, { ...stores, BASE_URL: BASE })

  const answered: { question: string; at: number }[] = []
  const until = Date.now() + ASK_FOR_MS
  for (let i = 0; Date.now() < until; i++) {
    const question = `Question ${i}`
    await ask(`${server.url}/mcp/v1`, accessToken, question)
    answered.push({ question, at: Date.now() })
    await pause(20)
  }
  const killedAt = Date.now()
  server.child.kill('SIGKILL')
  await server.ended

  const database = await openDatabase({ dataDir, databaseUrl, role: 'cli' })
  t.teardown(() => database.close())
  const rows = await database.read.selectFrom('activity').where('kind', '=', 'question').selectAll().execute()
  const kept = new Set(rows.map(({ question }) => question))
  const due = answered.filter(({ at }) => at < killedAt - KEPT_AFTER_MS)
  t.ok(due.length > 20, `${due.length} of ${answered.length} questions were asked early enough`)
  t.same(
    due.filter(({ question }) => !kept.has(question)),
    [],
    'all of them are kept',
  )
  t.comment(`${answered.length - kept.size} of ${answered.length} were lost`)
}

async function ask(url: string, accessToken: string, query: string): Promise<void> {
  const params = { name: 'svc', arguments: { query } }
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const { result } = (await response.json()) as { result?: { isError?: boolean } }
  if (!result || result.isError) throw new Error(`the question was answered ${response.status}`)
}
