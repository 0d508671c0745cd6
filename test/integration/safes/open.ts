import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Test } from 'tap'
import { IndexThread } from '../../../domain/safes/index/index-thread.js'
import { Indexes } from '../../../domain/safes/index/indexes.js'
import { Snapshots } from '../../../domain/safes/index/snapshot.js'
import type { ImportOptions, Question } from '../../../domain/safes/safe.js'
import { Safes } from '../../../domain/safes/safes.js'
import { safeStores } from '../../../domain/safes/stores/safe-stores.js'
import type { DatabaseLocation } from '../../../platform/storage/database.js'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { fileReaders } from '../../file-readers.js'
import { databaseLocation, everySetUp, setUp, testClock } from '../../helper.js'
import { noActivity } from '../../no-activity.js'
import { once } from '../../once.js'

export type Database = 'sqlite' | 'postgres'

/** Both in `npm test`, the one of the run in the deep tests. */
export const DATABASES: readonly Database[] = everySetUp.includes('embedded')
  ? ['sqlite', 'postgres']
  : [setUp === 'postgres' ? 'postgres' : 'sqlite']

interface Options {
  /** Default: the set-up of the run. */
  over?: Database | undefined
  /** Default: fails the test. */
  onError?: (error: unknown) => void
  indexBytes?: number
  /** Rows for an index. */
  maxRows?: number
  at?: DatabaseLocation
  startThread?: (at: DatabaseLocation) => IndexThread
}

/** The Safes domain over its own database, or the one `at` a place, with three accounts. */
export async function openSafes(t: Test, options: Options = {}) {
  const { indexBytes = 1024 ** 3, maxRows, over, at = await databaseLocation(t, over) } = options
  const folder = at.dataDir
  const spoolFolder = join(folder, 'spool')
  const database = await openDatabase({ ...at, role: 'server' })
  const clock = testClock()
  const stores = safeStores(database)
  const { contents } = stores
  const snapshots = new Snapshots(folder)
  const thread = options.startThread?.(at) ?? new IndexThread(at)
  const indexes = new Indexes({
    contents,
    snapshots,
    thread,
    maxBytes: indexBytes,
    ...(maxRows && { maxRows }),
  })
  const onError = options.onError ?? ((error: unknown) => t.fail('work in the background failed', { error }))
  const more = {
    activity: noActivity,
    clock,
    baseUrl: 'https://svc.test',
    spoolFolder,
    onError,
    readers: fileReaders,
  }
  const domain = new Safes({ ...stores, indexes, ...more })
  const close = once(async () => {
    await domain.close()
    await database.close()
  })
  t.teardown(close)
  await database.write(trx =>
    trx
      .insertInto('accounts')
      .values([account('ann'), account('bob'), account('cy')])
      .onConflict(conflict => conflict.doNothing())
      .execute(),
  )
  /** Every row, to compare before and after. */
  const dump = async () => ({
    safes: await database.read.selectFrom('safes').selectAll().execute(),
    memberships: await database.read.selectFrom('memberships').selectAll().execute(),
    imports: await database.read.selectFrom('imports').selectAll().orderBy('id').execute(),
    ...(await rows()),
  })
  /** Every row from imports. */
  const rows = async () => ({
    entities: await database.read.selectFrom('entities').selectAll().execute(),
    aliases: await database.read.selectFrom('aliases').selectAll().execute(),
    passages: await database.read.selectFrom('passages').selectAll().execute(),
    relations: await database.read.selectFrom('relations').selectAll().execute(),
    documents: await database.read.selectFrom('documents').selectAll().execute(),
    texts: await database.read.selectFrom('document_texts').selectAll().execute(),
  })
  /** A Safe as a file. */
  const exported = async (safeId: string, format = 'jsonl') => {
    let text = ''
    for await (const chunk of (await domain.export('ann', safeId, format)).chunks) text += chunk
    return text
  }
  return { domain, database, close, folder, at, spoolFolder, clock, stores, dump, rows, exported }
}

/** The same with a Safe of ann's. */
export async function openSafe(t: Test, options: Options = {}) {
  const opened = await openSafes(t, options)
  const { domain, exported } = opened
  const { id } = await domain.create('ann', 'Safe')
  return {
    ...opened,
    id,
    exported: (format?: string, safeId = id) => exported(safeId, format),
    add: (...args: Parameters<typeof file>) => domain.imports.add('ann', id, file(...args)),
    ask: (question: Question) => domain.questions.ask('ann', id, question),
  }
}

/** The value of `rows` when nothing is left. */
export const NO_ROWS = { entities: [], aliases: [], passages: [], relations: [], documents: [], texts: [] }

/** Reads until the expected result, because the index of an older version may answer first; gives up after a while. */
export async function eventually<T>(read: () => Promise<T>, expected: T): Promise<T> {
  let found = await read()
  for (let tries = 0; tries < 2_000 && !isDeepStrictEqual(found, expected); tries++) {
    await pause(5)
    found = await read()
  }
  return found
}

/** A file as an import takes it. */
export function file(
  source: string,
  content: string | Buffer | Readable,
  more: Partial<ImportOptions> = {},
): ImportOptions {
  const bytes = content instanceof Readable ? content : Readable.from([Buffer.from(content)])
  return { source, bytes, commit: true, ...more }
}

/** `count` people in N-Triples who each know the next: 2 lines and 2 rows each. */
export function people(count: number): string {
  const lines = Array.from({ length: count }, (_, i) =>
    [
      `<http://x/p${i}> <http://www.w3.org/2000/01/rdf-schema#label> "Person ${i}" .`,
      `<http://x/p${i}> <http://x/knows> <http://x/p${i + 1}> .`,
    ].join('\n'),
  )
  return lines.join('\n')
}

function account(id: string) {
  return {
    id,
    email: `${id}@example.com`,
    password_hash: '',
    role: 'member' as const,
    created_at: 0,
    session_epoch: 0,
  }
}
