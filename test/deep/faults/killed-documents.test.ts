// A process that is killed in the middle of a change of a Safe: others see the state before it, or all of the change.
import t, { type Test } from 'tap'
import { mergeOldImports } from '../../../domain/safes/imports/merging.js'
import { IndexThread } from '../../../domain/safes/index/index-thread.js'
import { Indexes } from '../../../domain/safes/index/indexes.js'
import { Snapshots } from '../../../domain/safes/index/snapshot.js'
import { Safes } from '../../../domain/safes/safes.js'
import { safeStores } from '../../../domain/safes/stores/safe-stores.js'
import type { Database } from '../../../platform/storage/database.js'
import { dataDir } from '../../data-dir.js'
import { fileReaders } from '../../file-readers.js'
import { Folder } from '../../integration/safes/folder.js'
import { DATABASES, file, openSafes } from '../../integration/safes/open.js'
import { noActivity } from '../../no-activity.js'
import { zip } from '../../zip.js'

const PEAS = 'Peas by the [[Wall]].'
const FIRST = zip([
  { name: 'Garden.md', content: `# Garden\n\n${PEAS}\n\n## Later\n\nBeans.\n` },
  { name: 'Wall.md', content: 'High.\n' },
])
const SECOND = zip([
  { name: 'Garden.md', content: '# Garden\n\nNothing but [[Roses]].\n' },
  { name: 'new/Roses.md', content: 'Red.\n' },
])

const HOUR = 3_600_000

type Domain = Awaited<ReturnType<typeof openSafes>>['domain']

/** One change of ann's Safe, after its preparation. */
interface Work {
  before?(domain: Domain, id: string): Promise<unknown>
  run(domain: Domain, id: string, database: Database): Promise<unknown>
}

const addSecond = (domain: Domain, id: string) => domain.imports.add('ann', id, file('vault.zip', SECOND))
const sync = (domain: Domain, id: string, folder: Folder) =>
  domain.folders.sync('ann', id, { name: 'notes', folder: '/notes', walk: () => folder.walk() })
const synced = (text: string) => new Folder().set('Garden.md', text).set(`${text}.md`, 'See [[Garden]].')
const addNote = (domain: Domain, id: string) => domain.notes.add('ann', id, 'Plan', 'Pick [[Beans]].')
const removePeas = async (domain: Domain, id: string) => {
  const { items } = await domain.browse.passages('ann', id, { limit: 10 })
  const peas = items.find(({ text }) => text.includes(PEAS))
  return domain.removed.removePassage('ann', id, peas?.id ?? '')
}

const WORKS: Record<string, Work> = {
  'an import': { run: addSecond },
  undoing: { before: addSecond, run: (domain, id) => domain.imports.undo('ann', id, 2) },
  restoring: {
    before: async (domain, id) => {
      await addSecond(domain, id)
      await domain.imports.undo('ann', id, 2)
    },
    run: (domain, id) => domain.imports.restore('ann', id, 2),
  },
  'a first run of a folder': { run: (domain, id) => sync(domain, id, synced('One')) },
  'a run of a folder': {
    before: (domain, id) => sync(domain, id, synced('One')),
    run: (domain, id) => sync(domain, id, synced('Two')),
  },
  'a note': { run: addNote },
  'a change of a note': {
    before: addNote,
    run: async (domain, id) => {
      const note = await domain.notes.find('ann', id, 'Notes/Plan.md')
      if (note) await domain.notes.edit('ann', id, { ...note, title: 'Plan 2', text: 'Pick [[Roses]].' })
    },
  },
  'a removal': { run: removePeas },
  'Undo of a removal': {
    before: removePeas,
    run: async (domain, id) => {
      const [peas] = await domain.removed.list('ann', id)
      await domain.removed.restore('ann', id, peas?.id ?? '')
    },
  },
  'merging imports': {
    before: addSecond,
    run: (_, __, database) =>
      mergeOldImports({ ...safeStores(database), clock: Date.now }, new AbortController().signal, {
        keep: 0,
        most: 2,
      }),
  },
  'removing the Safe': { run: (domain, id) => domain.removal.remove('ann', id) },
  'restoring the Safe': {
    before: (domain, id) => domain.removal.remove('ann', id),
    run: (domain, id) => domain.removal.restore('ann', id),
  },
}

/**
 * Each transaction has two moments for a kill: after its beginning and before its end. Postgres rolls back to the state
 * before it, so there the first moment covers both.
 */
const MOMENTS = { sqlite: ['before', 'after'], postgres: ['after'] } as const

/** What a member finds in a Safe, after counting. */
async function seen(domain: Domain, id: string) {
  if (!(await domain.find('ann', id))) return 'no Safe'
  await domain.idle()
  const safe = await domain.find('ann', id)
  const documents: Record<string, string> = {}
  for (const document of await domain.documents.list('ann', id, { limit: 100 })) {
    const bytes = await domain.documents.original('ann', id, document)
    documents[document.path] = `${document.title} ${bytes}`
  }
  let exported = ''
  for await (const chunk of (await domain.export('ann', id, 'jsonl')).chunks) exported += chunk
  return { counts: safe?.counts, documents, graph: exported.split('\n').sort() }
}

/** A database of a process that ends before or after the commit of a transaction: nothing later runs. */
function dying(database: Database, at: number, when: 'before' | 'after'): Database & { writes(): number } {
  let writes = 0
  const killed = new Error('killed')
  return {
    ...database,
    writes: () => writes,
    write: async (work, key) => {
      const isLast = ++writes === at
      if (writes > at) throw killed
      const done = await database.write(async trx => {
        const done = await work(trx)
        if (isLast && when === 'before') throw killed
        return done
      }, key)
      if (isLast) throw killed
      return done
    },
  }
}

async function open(t: Test, over: (typeof DATABASES)[number]) {
  const opened = await openSafes(t, { over })
  const { domain, database, at: place, clock, spoolFolder } = opened
  clock.now = Date.now()
  const folder = dataDir(t)
  /** Does the work in a process of its own, which is killed there. */
  const killedAt = async (work: Work, id: string, at: number, when: 'before' | 'after') => {
    const dead = dying(database, at, when)
    const stores = safeStores(dead)
    const thread = new IndexThread(place)
    const { contents } = stores
    const indexes = new Indexes({ contents, snapshots: new Snapshots(folder), thread, maxBytes: 1e9 })
    const more = { clock, baseUrl: 'https://svc.test', spoolFolder, readers: fileReaders, onError: () => {} }
    const process = new Safes({ ...stores, ...more, indexes, activity: noActivity })
    await work.run(process, id, dead).catch(() => {})
    await process.idle()
    await process.close()
    return dead.writes()
  }
  const prepared = async (work: Work) => {
    const { id } = await domain.create('ann', 'Safe')
    await domain.imports.add('ann', id, file('vault.zip', FIRST))
    await work.before?.(domain, id)
    return id
  }
  /** As if the leases of dead processes were over. */
  const later = async () => {
    clock.now += 2 * HOUR
    domain.maintenance.sweep()
    await domain.idle()
  }
  /** The number of rows without an existing import or file version. */
  const orphans = async (id: string) => {
    const { read } = database
    const imports = read
      .selectFrom('imports')
      .where('safe_id', '=', id)
      .where('status', 'in', ['committed', 'undone'])
    const versions = read.selectFrom('synced_files').where('safe_id', '=', id)
    const layers = [...(await imports.select('id').execute()), ...(await versions.select('id').execute())]
    let count = 0
    for (const table of ['documents', 'document_texts', 'passages', 'entities'] as const) {
      const rows = await read.selectFrom(table).where('safe_id', '=', id).select('import_id').execute()
      count += rows.filter(row => !layers.some(layer => Number(layer.id) === Number(row.import_id))).length
    }
    return count
  }
  return { ...opened, killedAt, prepared, later, orphans }
}

for (const over of DATABASES)
  t.test(`${over}: killed at any moment, a change is done or not done (ADR 70)`, async t => {
    const { domain, database, killedAt, prepared, later, orphans } = await open(t, over)
    for (const [name, work] of Object.entries(WORKS))
      await t.test(name, async t => {
        const undisturbed = await prepared(work)
        const before = await seen(domain, undisturbed)
        const writes = await killedAt(work, undisturbed, Number.POSITIVE_INFINITY, 'after')
        const after = await seen(domain, undisturbed)
        t.ok(writes > 0)
        for (let at = 1; at <= writes; at++)
          for (const when of MOMENTS[over]) {
            const moment = `killed ${when} the commit of transaction ${at} of ${writes}`
            const id = await prepared(work)
            await killedAt(work, id, at, when)
            const found = await seen(domain, id)
            const isDone = JSON.stringify(found) === JSON.stringify(after)
            t.same(found, isDone ? after : before, moment)
            await later()
            t.same(await seen(domain, id), found, `${moment}: and it stays`)
            if (isDone) continue
            t.equal(await orphans(id), 0, `${moment}: nothing is left over`)
            await work.run(domain, id, database)
            t.same(await seen(domain, id), after, `${moment}: and can be done again`)
          }
      })
  })
