// The service itself, over a folder of its own, with one account whose Safe holds a small graph. Run by run.ts with
// the folder and, for the Redis set-up, its URL as arguments; tells its address and an access token.
import { Readable } from 'node:stream'
import { buildApp } from '../../app.js'
import type { Answer } from '../../graph/answer.js'
import { loadConfig } from '../../plugins/config.js'

const [folder = '', redisUrl = ''] = process.argv.slice(2)
const app = await buildApp({
  config: loadConfig({ DATA_DIR: folder, REDIS_URL: redisUrl, CALLS_PER_SECOND: '0' }),
})
await app.ready()

const row = { id: 'ann', email: 'ann@bench.example', password_hash: '', role: 'admin' as const }
await app.database.write(trx =>
  trx
    .insertInto('accounts')
    .values({ ...row, session_epoch: 0, created_at: Date.now() })
    .execute(),
)
const safe = await app.safes.create('ann', 'Bench')
const names = Array.from({ length: 100 }, (_, i) => `Person ${String.fromCharCode(65 + (i % 26))}${i}`)
const lines = names.flatMap((name, i) => [
  { type: 'entity', name, entityType: 'person', observations: [`${name} joined in ${1900 + i}.`] },
  { type: 'relation', from: name, to: names[(i * 7 + 1) % 100], relationType: 'knows' },
])
const bytes = Readable.from([lines.map(line => JSON.stringify(line)).join('\n')])
await app.safes.import('ann', safe.id, { source: 'bench.jsonl', bytes, commit: true })

/** About 2 KB as text: what the reference returns, so that the two differ by the work before it. */
const constant: Answer = {
  safe: { id: safe.id, name: safe.name },
  mode: 'search',
  linked: [],
  facts: [],
  passages: [{ id: 'p1', title: 'constant', text: 'x'.repeat(1500), source: 'bench', score: 1 }],
  entities: [],
  total: 1,
  truncated: false,
  next_cursor: null,
  hints: [],
}
const ask = app.safes.ask.bind(app.safes)
app.safes.ask = async (accountId, safeId, question) => {
  if (question.query !== 'constant') return ask(accountId, safeId, question)
  await app.safes.membership(accountId, safeId)
  return constant
}

const { accessToken } = await app.oauth.issueTokens('ann', {
  clientName: 'bench',
  facts: { chosenSafeId: safe.id },
})
const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ address: `${address}/mcp/v1`, accessToken })
process.on('SIGTERM', () => app.close().then(() => process.exit(0)))
// How much work the requests were (run.ts asks before and after).
process.on('message', () => process.send?.(process.cpuUsage()))
