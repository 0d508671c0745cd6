import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Database } from '../../storage/database.js'
import type { Schema } from '../../storage/schema.js'
import type { FolderCounts, SyncedFolder, SyncReport } from '../safe.js'
import type { KnownFile } from '../sync/plan.js'
import { deleteSomeRows, RowInserts } from './row-inserts.js'
import { FIRST_VERSION, LAST_VERSION, MAX_ROWS, type RowBatch } from './types.js'

/** `until_run` of a version that nothing has replaced. */
const NEVER = Number.MAX_SAFE_INTEGER

/** Runs of a folder that can be undone, if they are not too old. */
const RUNS_KEPT = 100
const FILES_AT_ONCE = 1_000
/** Versions dropped in one transaction. */
const DROPPED_AT_ONCE = 100
const FOLDERS_SHOWN = 50

/** A run's claim on a folder. */
export interface Claim {
  safeId: string
  folder: number
  /** Proves that this run still holds the folder. */
  holder: string
  visibleRun: number
  counts: FolderCounts
  report: SyncReport | null
}

/** A file's version as a run writes it. */
export interface NewVersion extends Omit<KnownFile, 'lookedUp'> {
  lookedUp: readonly string[] | null
  /** It has bad lines, and must not become visible. */
  isBad: boolean
}

/** Rows of one transaction: of several versions, and the versions that begin or end with them. */
export interface VersionBatch {
  batches: { importId: number; rows: RowBatch }[]
  begun: NewVersion[]
  /** Begun in an earlier batch. */
  ended: NewVersion[]
}

/** Why a folder cannot be claimed. */
export type NotClaimed = { busyUntil: number } | { elsewhere: string }

/** Another run has taken the folder, because this one was suspended for long. */
export class ClaimLost extends Error {}

/** Synced folders and the versions of their files (ADR 52). Each method is a short transaction. */
export class SyncStore {
  readonly #database: Database
  readonly #inserts: RowInserts

  constructor(database: Database) {
    this.#database = database
    this.#inserts = new RowInserts(database.read)
  }

  /** Claims the folder with this name until `until`, created if it is new. `moved`: also if it was elsewhere. */
  claim(
    safeId: string,
    wanted: { name: string; folder: string; moved: boolean; holder: string; now: number; until: number },
  ): Promise<Claim | NotClaimed> {
    const { name, folder, holder, now, until } = wanted
    return this.#database.write(async trx => {
      const known = await foldersOf(trx, safeId).where('name', '=', name).selectAll().executeTakeFirst()
      if (known && known.held_until > now) return { busyUntil: known.held_until }
      if (known && known.folder !== folder && !wanted.moved) return { elsewhere: known.folder }
      const row = known ?? { ...(await newFolder(trx, safeId)), name, folder }
      if (!known) await trx.insertInto('synced_folders').values(row).execute()
      await changeFolder(trx, safeId, row.id)
        .set({ folder, holder, held_until: until, pending_run: 0 })
        .execute()
      return { safeId, folder: row.id, holder, visibleRun: row.visible_run, ...stateOf(row) }
    }, safeId)
  }

  /** The folder with this name, and where it was in the last run. */
  async find(
    safeId: string,
    name: string,
  ): Promise<(Pick<Claim, 'safeId' | 'folder' | 'visibleRun' | 'report'> & { location: string }) | null> {
    const row = await foldersOf(this.#database.read, safeId)
      .where('name', '=', name)
      .selectAll()
      .executeTakeFirst()
    if (!row) return null
    const { report } = stateOf(row)
    return { safeId, folder: row.id, visibleRun: row.visible_run, report, location: row.folder }
  }

  /** Renews the claim. @throws ClaimLost */
  renew(claim: Claim, until: number): Promise<void> {
    return this.#database.write(trx => hold(trx, claim, { held_until: until }))
  }

  /**
   * Repairs some of what a killed or undone run has left: its versions will never be visible, and those that it
   * replaced stay. False when nothing was left.
   */
  mendSome(claim: Claim, until: number): Promise<boolean> {
    const { safeId, folder, visibleRun } = claim
    return this.#database.write(async trx => {
      await hold(trx, claim, { held_until: until })
      // An undone run cannot be restored from now on.
      const undone = await trx
        .updateTable('imports')
        .set({ restorable_until: 0, lease_expires_at: 0 })
        .where('safe_id', '=', safeId)
        .where('id', '>', visibleRun)
        .where('format', '=', 'sync')
        .where('status', '=', 'undone')
        .where('restorable_until', '>', sql.lit(0))
        .where('source', '=', foldersOf(trx, safeId).where('id', '=', folder).select('name'))
        .executeTakeFirst()
      const replaced = await versions(trx, claim)
        .where('until_run', '>', visibleRun)
        .where('until_run', '<', NEVER)
        .where('from_run', '<=', visibleRun)
        .limit(MAX_ROWS)
        .select('id')
        .execute()
      await setUntil(trx, safeId, replaced, NEVER)
      const unfinished = await versions(trx, claim)
        .where('from_run', '>', visibleRun)
        .where('until_run', '=', NEVER)
        .limit(MAX_ROWS)
        .select('id')
        .execute()
      await setUntil(trx, safeId, unfinished, 0)
      return undone.numUpdatedRows > 0n || replaced.length > 0 || unfinished.length > 0
    }, safeId)
  }

  /** The visible files, in pages. */
  async *files({
    safeId,
    folder,
    visibleRun,
  }: Pick<Claim, 'safeId' | 'folder' | 'visibleRun'>): AsyncGenerator<KnownFile[]> {
    for (let last = 0; ; ) {
      const rows = await this.#database.read
        .selectFrom('synced_files')
        .where('safe_id', '=', safeId)
        .where('folder_id', '=', folder)
        .where('until_run', '=', NEVER)
        .where('from_run', '<=', visibleRun)
        .where('id', '>', last)
        .orderBy('id')
        .limit(FILES_AT_ONCE)
        .select(['id', 'first_id', 'path', 'size', 'modified_at', 'content_hash', 'looked_up'])
        .select(['relations', 'passages'])
        .execute()
      if (rows.length > 0) yield rows.map(knownFile)
      if (rows.length < FILES_AT_ONCE) return
      last = rows.at(-1)?.id ?? 0
    }
  }

  /** Begins to write a run: it reserves this many ids for versions, and returns the first. */
  begin(claim: Claim, run: number, count: number, until: number): Promise<number> {
    const { safeId } = claim
    return this.#database.write(async trx => {
      const { last } = await foldersOf(trx, safeId)
        .select(eb => eb.fn.max('last_version').as('last'))
        .executeTakeFirstOrThrow()
      const first = Number(last) + 1
      if (first + count > LAST_VERSION) throw new Error('This Safe has no room for more versions of files.')
      await hold(trx, claim, { held_until: until, pending_run: run, last_version: first + count - 1 })
      return first
    }, safeId)
  }

  /** Writes rows of versions. @throws ClaimLost */
  append(claim: Claim, run: number, { batches, begun, ended }: VersionBatch, until: number): Promise<void> {
    const { safeId, folder } = claim
    return this.#database.write(async trx => {
      await hold(trx, claim, { held_until: until })
      const columns = (version: NewVersion) => ({
        size: version.size,
        modified_at: version.modifiedAt,
        content_hash: version.contentHash,
        looked_up: version.lookedUp === null ? '*' : version.lookedUp.join('\n'),
        relations: version.relations,
        passages: version.passages,
        until_run: version.isBad ? 0 : NEVER,
      })
      if (begun.length > 0)
        await trx
          .insertInto('synced_files')
          .values(
            begun.map(version => ({
              safe_id: safeId,
              id: version.id,
              folder_id: folder,
              first_id: version.firstId,
              path: version.path,
              from_run: run,
              ...columns(version),
            })),
          )
          .execute()
      for (const version of ended)
        await trx
          .updateTable('synced_files')
          .set(columns(version))
          .where('safe_id', '=', safeId)
          .where('id', '=', version.id)
          .execute()
      await this.#inserts.insertAll(trx, safeId, batches)
    })
  }

  /** These versions, at most 500, will be replaced when the run becomes visible. */
  replace(claim: Claim, run: number, ids: readonly number[], until: number): Promise<void> {
    return this.#database.write(async trx => {
      await hold(trx, claim, { held_until: until })
      await setUntil(
        trx,
        claim.safeId,
        ids.map(id => ({ id })),
        run,
      )
    })
  }

  /** Files that were written again without a change, at most 500. */
  touch(claim: Claim, files: readonly Pick<KnownFile, 'id' | 'modifiedAt'>[], until: number): Promise<void> {
    return this.#database.write(async trx => {
      await hold(trx, claim, { held_until: until })
      for (const { id, modifiedAt } of files)
        await trx
          .updateTable('synced_files')
          .set({ modified_at: modifiedAt })
          .where('safe_id', '=', claim.safeId)
          .where('id', '=', id)
          .execute()
    })
  }

  /** What the folder contains once this run is visible. */
  async countsAt({ safeId, folder }: Claim, run: number): Promise<FolderCounts> {
    const at = this.#database.read
      .selectFrom('synced_files as f')
      .where('f.safe_id', '=', safeId)
      .where('f.folder_id', '=', folder)
      .where('f.from_run', '<=', run)
      .where('f.until_run', '>', run)
    const sums = await at
      .select(eb => [
        eb.fn.countAll().as('files'),
        eb.fn.sum('f.relations').as('relations'),
        eb.fn.sum('f.passages').as('passages'),
      ])
      .executeTakeFirstOrThrow()
    const named = await at
      .innerJoin('entities as e', join =>
        join.onRef('e.safe_id', '=', 'f.safe_id').onRef('e.import_id', '=', 'f.id'),
      )
      .select(eb => eb.fn.count('e.key').distinct().as('entities'))
      .executeTakeFirstOrThrow()
    return {
      files: Number(sums.files),
      entities: Number(named.entities),
      relations: Number(sums.relations ?? 0),
      passages: Number(sums.passages ?? 0),
    }
  }

  /** Ends the run and releases the folder. Without a report, the last one stays. */
  end(claim: Claim, at: number, report: SyncReport | null): Promise<void> {
    const done = report ? { checked_at: at, report_json: JSON.stringify(report) } : {}
    return this.#database.write(trx =>
      hold(trx, claim, { holder: '', held_until: 0, pending_run: 0, ...done }),
    )
  }

  /** The folders of a Safe by name; at most 50. */
  async list(safeId: string, now: number): Promise<SyncedFolder[]> {
    const rows = await this.#database.read
      .selectFrom('synced_folders')
      .where('safe_id', '=', safeId)
      .orderBy('name')
      .limit(FOLDERS_SHOWN)
      .selectAll()
      .execute()
    return rows.map(row => ({
      safeId,
      id: row.id,
      name: row.name,
      folder: row.folder,
      visibleRun: row.visible_run,
      isBusy: row.held_until > now,
      checkedAt: row.checked_at === 0 ? null : row.checked_at,
      ...stateOf(row),
    }))
  }

  /** Every folder, or every folder of one Safe, in pages. */
  async *all(onlySafe?: string): AsyncGenerator<{ safeId: string; folder: number }> {
    for (let last = { safeId: '', folder: 0 }; ; ) {
      const rows = await this.#database.read
        .selectFrom('synced_folders')
        .where(sql<SqlBool>`(safe_id, id) > (${last.safeId}, ${last.folder})`)
        .$if(onlySafe !== undefined, query => query.where('safe_id', '=', onlySafe ?? ''))
        .orderBy('safe_id')
        .orderBy('id')
        .limit(FOLDERS_SHOWN)
        .select(['safe_id as safeId', 'id as folder'])
        .execute()
      yield* rows
      const next = rows.at(-1)
      if (!next) return
      last = next
    }
  }

  /**
   * Drops some rows of versions that cannot become visible again: those of failed runs, and those that runs have
   * replaced which are no longer among the newest 100 since `since`. False when none are left.
   */
  dropSome(safeId: string, folder: number, since: number): Promise<boolean> {
    return this.#database.write(async trx => {
      const row = await foldersOf(trx, safeId).where('id', '=', folder).selectAll().executeTakeFirst()
      if (!row) return false
      const dropped = Math.max(row.dropped_run, await lastToDrop(trx, row, since))
      const found = await versions(trx, { safeId, folder })
        .where('until_run', '<=', dropped)
        .orderBy('until_run')
        .orderBy('id')
        .limit(DROPPED_AT_ONCE)
        .select(['id', 'until_run'])
        .execute()
      if (found.length === 0) return false
      await changeFolder(trx, safeId, folder).set({ dropped_run: dropped }).execute()
      if (found.some(({ until_run }) => until_run > 0))
        // From now on no answer uses an index that names these rows.
        await trx
          .updateTable('safes')
          .set(eb => ({ readable_from: eb.ref('version') }))
          .where('id', '=', safeId)
          .execute()
      for (const { id } of found) if (await deleteSomeRows(trx, safeId, [id, id])) return true
      await trx
        .deleteFrom('synced_files')
        .where('safe_id', '=', safeId)
        .where(
          'id',
          'in',
          found.map(({ id }) => id),
        )
        .execute()
      return true
    }, safeId)
  }

  /** Deletes some of what folders brought to a Safe that is being removed. False when nothing is left. */
  forgetSome(safeId: string): Promise<boolean> {
    return this.#database.write(async trx => {
      if (await deleteSomeRows(trx, safeId, [FIRST_VERSION, LAST_VERSION])) return true
      const some = trx.selectFrom('synced_files').where('safe_id', '=', safeId).limit(MAX_ROWS).select('id')
      const { numDeletedRows } = await trx
        .deleteFrom('synced_files')
        .where('safe_id', '=', safeId)
        .where('id', 'in', some)
        .executeTakeFirst()
      return numDeletedRows > 0n
    })
  }
}

type FolderRow = Pick<
  Schema['synced_folders'],
  'files' | 'entities' | 'relations' | 'passages' | 'report_json'
>

function stateOf({ files, entities, relations, passages, report_json }: FolderRow) {
  const report: SyncReport | null = JSON.parse(report_json)
  return { counts: { files, entities, relations, passages }, report }
}

const foldersOf = (db: Kysely<Schema>, safeId: string) =>
  db.selectFrom('synced_folders').where('safe_id', '=', safeId)

const changeFolder = (trx: Kysely<Schema>, safeId: string, folder: number) =>
  trx.updateTable('synced_folders').where('safe_id', '=', safeId).where('id', '=', folder)

const versions = (trx: Kysely<Schema>, { safeId, folder }: Pick<Claim, 'safeId' | 'folder'>) =>
  trx.selectFrom('synced_files').where('safe_id', '=', safeId).where('folder_id', '=', folder)

/** @throws ClaimLost */
async function hold(
  trx: Kysely<Schema>,
  { safeId, folder, holder }: Claim,
  change: Partial<Schema['synced_folders']>,
): Promise<void> {
  const held = await changeFolder(trx, safeId, folder)
    .set(change)
    .where('holder', '=', holder)
    .executeTakeFirst()
  if (held.numUpdatedRows === 0n) throw new ClaimLost()
}

async function newFolder(trx: Kysely<Schema>, safeId: string) {
  const { last } = await foldersOf(trx, safeId)
    .select(eb => eb.fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  return {
    safe_id: safeId,
    id: (last ?? 0) + 1,
    visible_run: 0,
    pending_run: 0,
    dropped_run: 0,
    last_version: FIRST_VERSION - 1,
    files: 0,
    entities: 0,
    relations: 0,
    passages: 0,
    holder: '',
    held_until: 0,
    checked_at: 0,
    report_json: 'null',
  }
}

async function setUntil(
  trx: Kysely<Schema>,
  safeId: string,
  rows: readonly { id: number }[],
  until: number,
): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await trx
    .updateTable('synced_files')
    .set({ until_run: until })
    .where('safe_id', '=', safeId)
    .where('id', 'in', ids)
    .execute()
}

/** The last run that can no longer be undone. */
async function lastToDrop(
  trx: Kysely<Schema>,
  { safe_id, name, visible_run }: Pick<Schema['synced_folders'], 'safe_id' | 'name' | 'visible_run'>,
  since: number,
): Promise<number> {
  const runs = await trx
    .selectFrom('imports')
    .where('safe_id', '=', safe_id)
    .where('format', '=', 'sync')
    .where('source', '=', name)
    .where('status', '=', 'committed')
    .where('id', '<=', visible_run)
    .orderBy('id', 'desc')
    .limit(RUNS_KEPT + 1)
    .select(['id', 'committed_at'])
    .execute()
  const at = runs.findIndex(({ committed_at }, kept) => kept >= RUNS_KEPT || (committed_at ?? 0) < since)
  return runs[at]?.id ?? 0
}

function knownFile(row: KnownFileRow): KnownFile {
  const { id, path, size, relations, passages, looked_up } = row
  return {
    id,
    firstId: row.first_id,
    path,
    size,
    modifiedAt: row.modified_at,
    contentHash: row.content_hash,
    // Split when it is needed: only when notes have come or gone.
    get lookedUp() {
      return looked_up === '*' ? null : new Set(looked_up.split('\n'))
    },
    relations,
    passages,
  }
}

type KnownFileRow = Omit<Schema['synced_files'], 'safe_id' | 'folder_id' | 'from_run' | 'until_run'>
