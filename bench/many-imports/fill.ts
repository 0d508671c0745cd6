import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'

/** An account `ann` and its Safe of so many imports, an hour apart, written directly. Returns the Safe's id. */
export async function fill(app: FastifyInstance, imports: number): Promise<string> {
  const row = { id: 'ann', email: 'ann@bench.example', password_hash: '', role: 'admin' as const }
  await app.database.write(trx =>
    trx
      .insertInto('accounts')
      .values({ ...row, session_epoch: 0, created_at: 0 })
      .execute(),
  )
  const { id } = await app.safes.create('ann', 'Many')
  const counts = { entities: 3, relations: 2, passages: 1 }
  const report = JSON.stringify({
    ...{ counts, badLineCount: 0, badLines: [], problem: null, bytesRead: 9, bytesTotal: 9 },
  })
  const n = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(imports)})`
  const safe = sql.lit(id)
  for (const statement of [
    sql`${n} insert into imports (safe_id, id, status, source, format, content_hash, report_json, lease_expires_at,
      created_by, created_at, committed_at) select ${safe}, i, 'committed', 'hour ' || i, 'jsonl', 'hash ' || i,
      ${sql.lit(report)}, 0, 'ann', i * 3600000, i * 3600000 from n`,
    sql`${n} insert into entities (safe_id, import_id, key, name, type)
      select ${safe}, i, 'sensor ' || i, 'Sensor ' || i, 'sensor' from n`,
    ...['Station', 'Hill'].map(
      name =>
        sql`${n} insert into entities (safe_id, import_id, key, name, type)
          select ${safe}, i, lower(${sql.lit(name)}), ${sql.lit(name)}, 'place' from n`,
    ),
    sql`${n} insert into relations (safe_id, import_id, id, subject_key, predicate, object_key)
      select ${safe}, i, 1, 'sensor ' || i, 'part of', 'station' from n`,
    sql`${n} insert into relations (safe_id, import_id, id, subject_key, predicate, object_key)
      select ${safe}, i, 2, 'station', 'stands on', 'hill' from n`,
    sql`${n} insert into passages (safe_id, import_id, id, entity_key, title, text)
      select ${safe}, i, 1, 'sensor ' || i, 'Sensor ' || i, 'It reads ' || i || ' degrees.' from n`,
    sql`update safes set version = 1 where id = ${safe}`,
  ]) {
    await app.database.write(trx => statement.execute(trx))
  }
  await keepSums(app, id, imports)
  return id
}

/** What commits keep with the Safe; versions before that had no such columns. */
async function keepSums(app: FastifyInstance, id: string, imports: number): Promise<void> {
  const tables = await app.database.read.introspection.getTables()
  const columns = tables.find(({ name }) => name === 'safes')?.columns.map(({ name }) => name) ?? []
  if (!columns.includes('import_count')) return
  const set = sql`import_count = ${sql.lit(imports)}, content_hash = 'bench', entities = ${sql.lit(3 * imports)},
    relations = ${sql.lit(2 * imports)}, passages = ${sql.lit(imports)}`
  await app.database.write(trx => sql`update safes set ${set} where id = ${sql.lit(id)}`.execute(trx))
}
