import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import t, { type Test } from 'tap'
import { type BuildIndex, buildsHere } from '../../../domain/safes/index/complete-index.js'
import { contentOf } from '../../../domain/safes/index/content.js'
import { type BuiltIndex, openIndex } from '../../../domain/safes/index/index-build.js'
import { SharedSnapshots } from '../../../domain/safes/index/shared-snapshots.js'
import { Snapshots } from '../../../domain/safes/index/snapshot.js'
import { Workspace } from '../../../engine/graph/index/workspace.js'
import type { DomainError } from '../../../platform/common/domain-error.js'
import type { Schema } from '../../../platform/storage/schema.js'
import { dataDir, postgresUrl } from '../../helper.js'
import { TEMPLATE } from '../../postgres-server.js'
import { file, openSafes, people } from '../safes/open.js'

export const QUESTION = { query: 'Whom does Person 7 know?', limit: 10, offset: 0 }

const PEOPLE = 200

let filled: ReturnType<typeof fill> | null = null

/** A database with a Safe and its index, which ends with the test file. Copying it is faster than importing. */
async function fill() {
  // The next file may run in the same process.
  t.teardown(() => {
    filled = null
  })
  const at = { dataDir: dataDir(t), databaseUrl: await postgresUrl(t, TEMPLATE) }
  const opened = await openSafes(t, { at })
  const { id } = await opened.domain.create('ann', 'People')
  await opened.domain.imports.add('ann', id, file('people.nt', people(PEOPLE)))
  await processes(t, opened, id)().open()
  await opened.close()
  return { template: new URL(at.databaseUrl).pathname.slice(1), id }
}

/** The place of a Safe and its index in Postgres. */
export async function filledPlace(t: Test) {
  filled ??= fill()
  const { template, id } = await filled
  return { at: { dataDir: dataDir(t), databaseUrl: await postgresUrl(t, template) }, id }
}

/** The same, opened, with the function that opens the index in other processes. */
export async function openFilled(t: Test) {
  const { at, id } = await filledPlace(t)
  const opened = await openSafes(t, { at })
  return { ...opened, id, process: processes(t, opened, id), db: opened.database.read }
}

type Opened = Awaited<ReturnType<typeof openSafes>>

/** Opens the index of a Safe as other processes do: each has a folder of its own. */
export const processes =
  (t: Test, { database, stores: { contents } }: Opened, id: string) =>
  (build: BuildIndex = buildsHere(contents)) => {
    const snapshots = new Snapshots(dataDir(t))
    const sharing = new SharedSnapshots(database)
    const tooLarge = new LRUCache<string, { contentHash: string; error: DomainError }>({ max: 10 })
    const unsaved = { latest: null }
    const dependencies = { contents, snapshots, sharing, build, tooLarge, unsaved }
    return { open: (how: { isComplete?: boolean } = {}) => openIndex(dependencies, id, how) }
  }

export const snapshots = (db: Kysely<Schema>) =>
  db.selectFrom('index_snapshots').orderBy('saved_at').selectAll().execute()

export async function answerOf({ committed, index }: BuiltIndex): Promise<string[]> {
  const { ranking } = await contentOf(committed, index, new Workspace()).rank(QUESTION)
  return ranking.facts.map(({ ref }) => `f${ref.importId}.${ref.id}`)
}

/** A snapshot with one of these damages (default: all) is built again, answers as before, and is replaced. */
export async function checkDamages(t: Test, names?: readonly string[]): Promise<void> {
  const { id, domain, process, db } = await openFilled(t)
  const opened = await process().open()
  const good = await answerOf(opened)
  const { id: twin } = await domain.create('ann', 'Twin')
  // The snapshot of a process for a Safe with the same rows: the hash is the same.
  const { contentHash } = opened.committed
  const ofTwin = new SharedSnapshots({ read: db })
  await ofTwin.begin(twin, contentHash, PEOPLE)
  await ofTwin.save(twin, contentHash, opened.index)
  const change = (part: number, bytes: string) =>
    sql`update index_parts set bytes = ${sql.raw(bytes)} where safe_id = ${id} and part = ${part}`.execute(db)
  const damages: Record<string, () => Promise<unknown>> = {
    'one bit wrong': () => change(1, 'set_byte(bytes, 5000, get_byte(bytes, 5000) # 1)'),
    'cut short': () => change(1, 'substring(bytes, 1, 5000)'),
    longer: () => change(1, "bytes || '\\x00'"),
    empty: () => change(1, "''"),
    'a part missing': () =>
      db.deleteFrom('index_parts').where('safe_id', '=', id).where('part', '=', 1).execute(),
    'no header': () => db.deleteFrom('index_parts').where('safe_id', '=', id).where('part', '=', 0).execute(),
    'a header cut short': () => change(0, 'substring(bytes, 1, 100)'),
    'an empty header': () => change(0, "''"),
    'a header that is no JSON': () => change(0, 'set_byte(bytes, 14, 65)'),
    'a header that names other places': () =>
      change(0, `set_byte(bytes, position('"at":'::bytea in bytes) + 4, 57)`),
    'that of another Safe': async () => {
      await db.deleteFrom('index_parts').where('safe_id', '=', id).execute()
      await sql`insert into index_parts select ${id}, content, part, bytes from index_parts
        where safe_id = ${twin}`.execute(db)
    },
  }
  for (const name of names ?? Object.keys(damages)) {
    await damages[name]?.()
    const opened = await process().open()
    t.equal(opened.from, 'rows', name)
    t.same(await answerOf(opened), good, name)
    const replaced = await process().open()
    t.equal(replaced.from, 'shared', `${name}: replaced`)
  }
}
