// The service as run.ts overloads it: built like any other, with one Safe and many connections to it. Run with the
// folder, the Redis URL or nothing, and how many connections; tells its port and their access tokens.
import { Readable } from 'node:stream'
import { buildApp } from '../../app.js'
import { loadConfig } from '../../plugins/config.js'
import { loggerOptions } from '../../plugins/logger.js'

const [folder = '', redisUrl = '', connections = '1'] = process.argv.slice(2)
const config = loadConfig({ DATA_DIR: folder, REDIS_URL: redisUrl })
const app = await buildApp({ config, logger: loggerOptions(config) })
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

const tokens: string[] = []
for (let i = 0; i < Number(connections); i++) {
  const issued = await app.oauth.issueTokens('ann', {
    clientName: 'bench',
    facts: { chosenSafeId: safe.id },
  })
  tokens.push(issued.accessToken)
}
const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ port: Number(new URL(address).port), tokens })
process.on('SIGTERM', () => app.close().then(() => process.exit(0)))
