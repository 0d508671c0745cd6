import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import t from 'tap'
import { build } from '../../helper.js'
import { addLighthouse } from '../../lighthouse.js'
import { assistantOf } from '../oauth/assistant.js'
import { people } from '../safes/open.js'

/** The tables that docs/scaling.md distributes by `safe_id`. */
const OWNED = ['imports', 'entities', 'aliases', 'passages', 'relations']
const MENTIONS = new RegExp(`(?:from|into|update|join) "(?:${OWNED.join('|')})"`)
const TABLE = new RegExp(`(?:from|update|join) "(${OWNED.join('|')})"(?: as "(\\w+)")?`, 'g')

/** The only statement over all Safes: once an hour, for imports whose process died (docs/scaling.md). */
const SWEEP =
  'select "safe_id", "id" from "imports" where "lease_expires_at" > $3 and "lease_expires_at" < $1 limit $2'

/** Whether a statement restricts each of its tables to one Safe. */
function namesSafe(statement: string): boolean {
  if (/^insert into "\w+" \("safe_id"/.test(statement)) return true
  return [...statement.matchAll(TABLE)].every(([, table, alias]) => {
    const column = `(?:"?(?:${alias ?? table})"?\\.)?"?safe_id"?`
    const other = '"\\w+"\\."safe_id"'
    return new RegExp(`(?<![\\w"])${column} (?:= (?:\\$|${other})|in \\(\\$)`).test(statement)
  })
}

/** All statements that Postgres ran in this database, from all threads, without their values. */
async function statements({ database }: FastifyInstance): Promise<string[]> {
  const { rows } = await sql<{ query: string }>`select query from pg_stat_statements where dbid =
    (select oid from pg_database where datname = current_database())`.execute(database.read)
  return rows.map(({ query }) => query)
}

t.test('every statement on rows of a Safe names the Safe, in a whole flow', async t => {
  const app = await build(t, { setUp: 'postgres' })
  await app.database.write(trx => sql`create extension pg_stat_statements`.execute(trx))
  await useEverything(app)
  const all = await statements(app)
  const owned = all.filter(statement => MENTIONS.test(statement))
  t.ok(owned.length > 30, `${owned.length} of ${all.length} statements`)
  for (const table of OWNED)
    for (const verb of ['from', 'into'])
      t.ok(
        owned.some(statement => statement.includes(`${verb} "${table}"`)),
        `${verb} ${table}`,
      )
  t.same(
    owned.filter(statement => !namesSafe(statement)),
    [SWEEP],
  )
})

async function useEverything(app: FastifyInstance): Promise<void> {
  const { assistant, id: ann } = await assistantOf(app)
  const bob = (await app.accounts.add('bob@a.example', 'a password for the tests')).id
  const { safes } = app
  const sample = await addLighthouse({ safes }, ann)
  const tokens = await assistant.connect()
  await assistant.works(tokens.access_token)
  await safes.questions.ask(ann, sample.id, { query: 'Who leads the Lens Restoration?' })
  await safes.questions.ask(ann, sample.id, { mode: 'overview' })
  for await (const _ of (await safes.export(ann, sample.id, 'jsonl')).chunks);
  await safes.members.share(ann, sample.id, bob, 'reader')
  await safes.readableBy(bob)
  await safes.members.unshare(ann, sample.id, bob)
  // More rows than are indexed without a thread, and an alias.
  const large = await safes.create(ann, 'Large')
  const alias = '<http://x/p1> <http://www.w3.org/2004/02/skos/core#altLabel> "The first" .'
  const bytes = () => Readable.from([`${people(3000)}\n${alias}`])
  const staged = await safes.imports.add(ann, large.id, {
    source: 'people.nt',
    bytes: bytes(),
    commit: false,
  })
  await safes.imports.commit(ann, large.id, staged.id)
  await safes.imports.add(ann, large.id, { source: 'again.nt', bytes: bytes(), commit: true })
  await safes.questions.ask(ann, large.id, { query: 'Whom does Person 7 know?' })
  await safes.imports.list(ann, large.id)
  await safes.imports.undo(ann, large.id, staged.id)
  await safes.rename(ann, large.id, 'Larger')
  await safes.removal.remove(ann, large.id)
  await safes.idle()
  // Listening begins with a sweep.
  await app.listen({ host: '127.0.0.1', port: 0 })
  await safes.idle()
}
