import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { DATABASES, type Database, openSafe } from '../../integration/safes/open.js'
import { entity } from '../../jsonl.js'

/**
 * More than the maximum parameters of a statement of SQLite (32,766), and half of them more than that of older
 * versions.
 */
const IMPORTS = 33_000

/** A Safe with very many committed imports. Each has a fact of its own, and all have the same fact about one thing. */
async function open(t: Test, over: Database, count = IMPORTS) {
  const opened = await openSafe(t, { over })
  const { database, id } = opened
  const numbers = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})`
  const report = JSON.stringify({
    ...{ counts: { entities: 2, relations: 2, passages: 1 }, badLineCount: 0, badLines: [] },
    ...{ problem: null, bytesRead: 9, bytesTotal: 9 },
  })
  const [safe, text] = [sql.lit(id), (value: string) => sql.lit(value)]
  for (const statement of [
    sql`${numbers} insert into imports (safe_id, id, status, source, format, content_hash, report_json,
      lease_expires_at, created_by, created_at, committed_at)
      select ${safe}, i, 'committed', 'file ' || i, 'jsonl', 'hash ' || i, ${text(report)}, 0, 'ann', cast(i as bigint) * 3600000, cast(i as bigint) * 3600000 from n`,
    sql`${numbers} insert into entities (safe_id, import_id, key, name, type)
      select ${safe}, i, 'sensor ' || i, 'Sensor ' || i, 'sensor' from n`,
    sql`${numbers} insert into entities (safe_id, import_id, key, name, type)
      select ${safe}, i, 'boiler', 'Boiler', null from n`,
    sql`${numbers} insert into relations (safe_id, import_id, id, subject_key, predicate, object_key)
      select ${safe}, i, 1, 'sensor ' || i, 'part of', 'boiler' from n`,
    sql`${numbers} insert into relations (safe_id, import_id, id, subject_key, predicate, object_key)
      select ${safe}, i, 2, 'boiler', 'part of', 'sensor 1' from n`,
    sql`${numbers} insert into passages (safe_id, import_id, id, entity_key, title, text)
      select ${safe}, i, 1, 'sensor ' || i, 'Sensor ' || i, 'Reads ' || i || ' degrees.' from n`,
    sql`update safes set version = 1, import_count = ${sql.lit(count)}, content_hash = 'many',
      entities = ${sql.lit(2 * count)}, relations = ${sql.lit(2 * count)}, passages = ${sql.lit(count)} where id = ${safe}`,
  ]) {
    await database.write(trx => statement.execute(trx))
  }
  return opened
}

for (const over of DATABASES) {
  t.test(`${over}: a Safe of ${IMPORTS} imports is asked, undone, listed and exported`, async t => {
    const { domain, id, add, ask, exported } = await open(t, over)
    const { facts, passages } = await ask({ query: 'Sensor 12345' })
    t.match(facts[0], { subject: 'Sensor 12345', object: 'Boiler', sources: ['file 12345'] })
    t.match(passages[0], { text: 'Reads 12345 degrees.', source: 'file 12345' })
    const same = await ask({ mode: 'path', from: 'Boiler', to: 'Sensor 1' })
    const boiler = same.facts.find(({ subject }) => subject === 'Boiler')
    t.equal(boiler?.sources.length, 10, 'a fact of all imports names ten of them')

    await add('one more.jsonl', entity('Sensor x', 'sensor', 'Reads nothing.'))
    t.match((await ask({ query: 'Sensor x' })).passages, [{ text: 'Reads nothing.' }])
    await domain.imports.undo('ann', id, 12345)
    await domain.idle()
    // The earlier index may still answer, but without the undone content.
    t.notOk((await ask({ query: 'Sensor 12345' })).facts.some(({ subject }) => subject === 'Sensor 12345'))

    const first = await domain.imports.list('ann', id)
    t.equal(first.length, 100)
    const [next] = await domain.imports.list('ann', id, { after: first.at(-1)?.id ?? 0, limit: 1 })
    t.equal(next?.id, IMPORTS - 99)
    // Counts that take long are made after the page was sent (ADR 41).
    while ((await domain.readableBy('ann'))[0]?.counts.passages !== IMPORTS) await pause(100)

    const text = await exported()
    // Every sensor and the boiler; "part of" from every sensor, and once from the boiler.
    t.equal(text.split('\n').length - 1, IMPORTS + 1 + (IMPORTS - 1 + 1))
    t.match(text, /"name":"Sensor 777","entityType":"sensor","observations":\["Reads 777 degrees."\]/)
  })

  t.test(`${over}: a Safe of many imports is removed in slices`, async t => {
    const { domain, id, dump, clock } = await open(t, over, 1_200)
    await domain.removal.remove('ann', id)
    t.same(await domain.readableBy('ann'), [], 'at once')
    clock.now += 7 * 86_400_000
    domain.maintenance.sweep()
    await domain.idle()
    const { imports, ...rest } = await dump()
    t.same(Object.values(rest).flat(), [])
    t.ok(imports.every(({ status, lease_expires_at: lease }) => status === 'undone' && lease === 0))
  })
}
