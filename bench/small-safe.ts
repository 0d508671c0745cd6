import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** An account `ann` and its Safe: people who know each other, each with a passage. */
export async function createSmallSafe(app: FastifyInstance, people = 100) {
  const row = { id: 'ann', email: 'ann@bench.example', password_hash: '', role: 'admin' as const }
  await app.database.write(trx =>
    trx
      .insertInto('accounts')
      .values({ ...row, session_epoch: 0, created_at: Date.now() })
      .execute(),
  )
  const safe = await app.safes.create('ann', 'Bench')
  const names = Array.from({ length: people }, (_, i) => `Person ${String.fromCharCode(65 + (i % 26))}${i}`)
  const lines = names.flatMap((name, i) => [
    { type: 'entity', name, entityType: 'person', observations: [`${name} joined in ${1900 + i}.`] },
    { type: 'relation', from: name, to: names[(i * 7 + 1) % people], relationType: 'knows' },
  ])
  const bytes = Readable.from([lines.map(line => JSON.stringify(line)).join('\n')])
  await app.safes.imports.add('ann', safe.id, { source: 'bench.jsonl', bytes, commit: true })
  return safe
}
