import { sql } from 'kysely'
import type { Db, Schema } from '../../../platform/storage/schema.js'
import { hasEffect, selectWhere, tables, updateWhere } from '../../../platform/storage/where.js'
import { fromRow } from '../../names.js'
import type { FolderCounts, SyncReport, SyncRun } from '../safe.js'
import { FIRST_VERSION, type KnownFile } from './types.js'

/** `until_run` of a version that has not been replaced. */
export const NEVER = Number.MAX_SAFE_INTEGER

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

/** The reason why a folder cannot be claimed. */
export type NotClaimed = { busyUntil: number } | { elsewhere: string }

/** Another run has taken the folder, because this one was suspended for long. */
export class ClaimLost extends Error {}

/** Changes a folder that the run holds. @throws ClaimLost */
export async function hold(
  trx: Db,
  { safeId, folder, holder }: Claim,
  change: Partial<Schema['synced_folders']>,
): Promise<void> {
  if (!(await hasEffect(changeFolder(trx, safeId, folder).set(change).where('holder', '=', holder))))
    throw new ClaimLost()
}

type FolderRow = Pick<
  Schema['synced_folders'],
  'files' | 'entities' | 'relations' | 'passages' | 'report_json'
>

/** The contents of a folder, and the report of its last run. */
export function stateOf({ files, entities, relations, passages, report_json }: FolderRow) {
  const report: SyncReport | null = JSON.parse(report_json)
  return { counts: { files, entities, relations, passages }, report }
}

/** The folders of a Safe. */
export const foldersOf = (db: Db, safeId: string) => selectWhere(db, 'synced_folders', { safe_id: safeId })

/** To change one folder. */
export const changeFolder = (trx: Db, safeId: string, folder: number) =>
  updateWhere(trx, 'synced_folders', { safe_id: safeId, id: folder })

/** The run of a folder `d` whose state is visible, or will be once a pending import is committed; 0: none is pending. */
export const visibleRunOf = (pendingImport: number) =>
  sql<number>`case when d.pending_run > 0 and d.pending_run = cast(${pendingImport} as bigint)
    then d.pending_run else d.visible_run end`

/** The versions of a folder's files. */
export const versions = (trx: Db, { safeId, folder }: Pick<Claim, 'safeId' | 'folder'>) =>
  selectWhere(trx, 'synced_files', { safe_id: safeId, folder_id: folder })

/** The row of a folder without a run. */
export async function newFolder(trx: Db, safeId: string) {
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

/** Ends these versions with a run. */
export async function setUntil(trx: Db, safeId: string, ids: readonly number[], until: number) {
  if (ids.length === 0) return
  await updateWhere(trx, 'synced_files', { safe_id: safeId })
    .set({ until_run: until })
    .where('id', 'in', ids)
    .execute()
}

/** A version of a file from its row. */
export function knownFile({ looked_up, ...row }: KnownFileRow): KnownFile {
  return Object.defineProperty({ ...fromRow(row), lookedUp: null }, 'lookedUp', {
    // Split only when needed: if notes were added or removed.
    get: () => (looked_up === '*' ? null : new Set(looked_up.split('\n'))),
  })
}

type KnownFileRow = Omit<Schema['synced_files'], 'safe_id' | 'folder_id' | 'from_run' | 'until_run'> & {
  kind: string | null
}

/**
 * Makes a run of a synced folder visible: all its versions of files at once (ADR 52). False when the folder has
 * changed since, or, given `now`, a run is at work.
 */
export async function showRun(
  trx: Db,
  safeId: string,
  { folder, before, after }: SyncRun,
  run: number,
  now?: number,
): Promise<boolean> {
  return hasEffect(
    updateWhere(trx, 'synced_folders', { safe_id: safeId, id: folder, visible_run: before.run })
      .set({ visible_run: run, ...after })
      .$if(now === undefined, query => query.where('pending_run', '=', run))
      .$if(now !== undefined, query => query.where('held_until', '<=', now ?? 0)),
  )
}

/** Returns to the state before the newest run of a synced folder. Returns the reason if it cannot, or null. */
export async function hideRun(trx: Db, safeId: string, { folder, before }: SyncRun, run: number) {
  const { run: visible_run, ...counts } = before
  if (
    await hasEffect(
      updateWhere(trx, 'synced_folders', { safe_id: safeId, id: folder, visible_run: run })
        .set({ visible_run, ...counts })
        .where('dropped_run', '<', run),
    )
  )
    return null
  const now = await tables.find(trx, 'synced_folders', { safe_id: safeId, id: folder }, ['visible_run'])
  return { laterRun: now && now.visible_run !== run ? now.visible_run : null }
}
