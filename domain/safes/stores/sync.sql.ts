import { sql } from 'kysely'
import { tables, updateWhere } from '../../../platform/storage/where.js'
import { toRow } from '../../names.js'
import { Store } from '../../store.js'
import { isSameLocation } from '../folder-location.js'
import type { SyncReport } from '../safe.js'
import { RowInserts } from './row-inserts.js'
import {
  type Claim,
  changeFolder,
  foldersOf,
  hold,
  NEVER,
  type NotClaimed,
  newFolder,
  setUntil,
  stateOf,
  versions,
} from './synced-rows.js'
import type { KnownFile } from './types.js'
import { LAST_VERSION, MAX_ROWS, type RowBatch } from './types.js'

/** A file's version as a run writes it. */
export interface NewVersion extends Omit<KnownFile, 'lookedUp' | 'kind'> {
  lookedUp: readonly string[] | null
  /** It has bad lines, and must not become visible. */
  isBad: boolean
}

/** Maximum rows of one transaction: of several versions, and of versions that begin or end with them. */
export interface VersionBatch {
  batches: { importId: number; rows: RowBatch }[]
  begun: NewVersion[]
  /** Begun in an earlier batch. */
  ended: NewVersion[]
}

const idOf = ({ id }: { id: number }) => id

/** Writes runs of synced folders: versions of their files (ADR 52). Each method is a short transaction. */
export class SyncStore extends Store {
  readonly #inserts = new RowInserts(this.db)

  /** Claims the folder with this name until `until`, created if it is new. `moved`: also if it was elsewhere. */
  claim(
    safeId: string,
    wanted: { name: string; folder: string; moved: boolean; holder: string; now: number; until: number },
  ): Promise<Claim | NotClaimed> {
    const { name, folder, holder, now, until } = wanted
    return this.database.write(async trx => {
      const known = await foldersOf(trx, safeId).where('name', '=', name).selectAll().executeTakeFirst()
      if (known && known.held_until > now) return { busyUntil: known.held_until }
      const isThere = known !== undefined && isSameLocation(known.folder, folder)
      if (known && !isThere && !wanted.moved) return { elsewhere: known.folder }
      const row = known ?? { ...(await newFolder(trx, safeId)), name, folder }
      if (!known) await tables.insert(trx, 'synced_folders', row)
      await changeFolder(trx, safeId, row.id)
        // A known machine stays known.
        .set({ folder: isThere && known.folder.length > folder.length ? known.folder : folder })
        .set({ holder, held_until: until, pending_run: 0 })
        .execute()
      return { safeId, folder: row.id, holder, visibleRun: row.visible_run, ...stateOf(row) }
    }, safeId)
  }

  /** Between two `append`s: lets other writers proceed. */
  giveWay = () => this.database.giveWay()

  /** Renews the claim. @throws ClaimLost */
  renew(claim: Claim, until: number): Promise<void> {
    return this.database.write(trx => hold(trx, claim, { held_until: until }))
  }

  /**
   * Repairs part of what a killed or undone run has left: its versions will never be visible, and those that it
   * replaced stay. False if nothing was left.
   */
  mendSome(claim: Claim, until: number): Promise<boolean> {
    const { safeId, folder, visibleRun } = claim
    return this.database.write(async trx => {
      await hold(trx, claim, { held_until: until })
      // An undone run cannot be restored from now on.
      const undone = await updateWhere(trx, 'imports', {
        safe_id: safeId,
        format: 'sync',
        status: 'undone',
        source: foldersOf(trx, safeId).where('id', '=', folder).select('name'),
      })
        .set({ restorable_until: 0, lease_expires_at: 0 })
        .where('id', '>', visibleRun)
        .where('restorable_until', '>', sql.lit(0))
        .executeTakeFirst()
      const replaced = await versions(trx, claim)
        .where('until_run', '>', visibleRun)
        .where('until_run', '<', NEVER)
        .where('from_run', '<=', visibleRun)
        .limit(MAX_ROWS)
        .select('id')
        .execute()
      await setUntil(trx, safeId, replaced.map(idOf), NEVER)
      const unfinished = await versions(trx, claim)
        .where('from_run', '>', visibleRun)
        .where('until_run', '=', NEVER)
        .limit(MAX_ROWS)
        .select('id')
        .execute()
      await setUntil(trx, safeId, unfinished.map(idOf), 0)
      return undone.numUpdatedRows > 0n || replaced.length > 0 || unfinished.length > 0
    }, safeId)
  }

  /** Begins to write a run: reserves this many ids for versions, and returns the first. */
  begin(claim: Claim, run: number, count: number, until: number): Promise<number> {
    const { safeId } = claim
    return this.database.write(async trx => {
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
    return this.database.write(async trx => {
      await hold(trx, claim, { held_until: until })
      const columns = ({ isBad, lookedUp, ...version }: NewVersion) => ({
        ...toRow(version),
        looked_up: lookedUp === null ? '*' : lookedUp.join('\n'),
        until_run: isBad ? 0 : NEVER,
      })
      const own = { safe_id: safeId, folder_id: folder, from_run: run }
      const rows = begun.map(version => ({ ...own, ...columns(version) }))
      if (rows.length > 0) await tables.insert(trx, 'synced_files', rows)
      for (const version of ended) {
        const { id, first_id, path, ...changed } = columns(version)
        await tables.change(trx, 'synced_files', { safe_id: safeId, id }, changed)
      }
      await this.#inserts.insertAll(trx, safeId, batches)
    })
  }

  /** These versions, at most 500, will be replaced when the run becomes visible. */
  replace(claim: Claim, run: number, ids: readonly number[], until: number): Promise<void> {
    return this.database.write(async trx => {
      await hold(trx, claim, { held_until: until })
      await setUntil(trx, claim.safeId, ids, run)
    })
  }

  /** Files written again without a change, at most 500. */
  touch(claim: Claim, files: readonly Pick<KnownFile, 'id' | 'modifiedAt'>[], until: number): Promise<void> {
    return this.database.write(async trx => {
      await hold(trx, claim, { held_until: until })
      for (const { id, modifiedAt } of files)
        await tables.change(trx, 'synced_files', { safe_id: claim.safeId, id }, { modified_at: modifiedAt })
    })
  }

  /** Ends the run and releases the folder. Without a report, the last one stays. */
  end(claim: Claim, at: number, report: SyncReport | null): Promise<void> {
    const done = report ? { checked_at: at, report_json: JSON.stringify(report) } : {}
    return this.database.write(trx =>
      hold(trx, claim, { holder: '', held_until: 0, pending_run: 0, ...done }),
    )
  }
}
