import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import t, { type Test } from 'tap'
import type { DomainError } from '../../../common/domain-error.js'
import { Workspace } from '../../../graph/index/workspace.js'
import { BuildsHere } from '../../../safes/index/builds-here.js'
import { contentOf } from '../../../safes/index/content.js'
import { type BuiltIndex, openIndex } from '../../../safes/index/index-build.js'
import { SharedSnapshots } from '../../../safes/index/shared-snapshots.js'
import { Snapshots } from '../../../safes/index/snapshot.js'
import { dataDir, postgresUrl } from '../../helper.js'
import { once } from '../../once.js'
import { TEMPLATE } from '../../postgres-server.js'
import { file, openSafes, people } from '../safes/open.js'

/** Large enough that the thread opens it. */
export const MANY = 2_600
export const QUESTION = { query: 'Whom does Person 7 know?', limit: 10, offset: 0 }

/** A database with a Safe and its index. Copying it takes less time than importing. */
const filled = once(async () => {
  const databaseUrl = await postgresUrl(t, TEMPLATE)
  const { domain, database } = await openSafes(t, { at: { dataDir: dataDir(t), databaseUrl } })
  const { id } = await domain.create('ann', 'People')
  await domain.imports.add('ann', id, file('people.nt', people(MANY)))
  await domain.close()
  await database.close()
  return { template: new URL(databaseUrl).pathname.slice(1), id }
})

/** A Safe in Postgres, and what opens its index in other processes: they have folders of their own. */
export async function openLarge(t: Test) {
  const { template, id } = await filled()
  const at = { dataDir: dataDir(t), databaseUrl: await postgresUrl(t, template) }
  const opened = await openSafes(t, { at })
  const db = opened.database.read
  const { contents } = opened.stores
  const process = () => {
    const snapshots = new Snapshots(dataDir(t))
    const builds = new BuildsHere(contents)
    const tooLarge = new LRUCache<string, { contentHash: string; error: DomainError }>({ max: 10 })
    const unsaved = { latest: null }
    return {
      open: () =>
        openIndex({ contents, snapshots, sharing: new SharedSnapshots(db), builds, tooLarge, unsaved }, id),
    }
  }
  return { ...opened, at, id, process, db }
}

export async function answerOf({ committed, index }: BuiltIndex): Promise<string[]> {
  const { ranking } = await contentOf(committed, index, new Workspace()).rank(QUESTION)
  return ranking.facts.map(({ ref }) => `f${ref.importId}.${ref.id}`)
}

/** A snapshot with one of these damages (default: all) is built again, answers as before, and is replaced. */
export async function checkDamages(t: Test, names?: readonly string[]): Promise<void> {
  const { id, domain, process, db } = await openLarge(t)
  const { id: twin } = await domain.create('ann', 'Twin')
  await domain.imports.add('ann', twin, file('people.nt', people(MANY)))
  const hashes = await db.selectFrom('safes').select('content_hash').execute()
  t.equal(new Set(hashes.map(({ content_hash }) => content_hash)).size, 1, 'its rows have the same hash')
  const good = await answerOf(await process().open())
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
