import { setTimeout as pause } from 'node:timers/promises'
import { notFound } from '../../platform/common/domain-error.js'
import { findInPages } from '../../platform/common/search.js'
import { isId } from '../../platform/common/secrets.js'
import { Part } from '../part.js'
import type { Counting } from './counting.js'
import type { SafesShared } from './dependencies.js'
import { dropRows, PAUSE_MS, RESTORABLE_MS, WORK_LEASE_MS } from './imports/dropping.js'
import { requireOwner } from './membership.js'
import type { ListOptions, ReadableSafe, RemovedSafe } from './safe.js'

type RemovalDependencies = Pick<
  SafesShared,
  'safes' | 'removedSafes' | 'imports' | 'syncedFolders' | 'indexes' | 'rows' | 'work' | 'activity' | 'clock'
> & { counting: Counting }

/** Removing Safes, and restoring them for 7 days (ADR 45). */
export class Removal extends Part<RemovalDependencies> {
  /** Takes the Safe away from all its members. @throws notFound for non-members, 403 for readers */
  async remove(accountId: string, safeId: string): Promise<void> {
    const { safes, activity } = this.dependencies
    const { name } = await requireOwner(safes, accountId, safeId)
    await this.#remove(safeId)
    // By its name: nobody can read the Safe any more, so entries of the Safe itself are not shown.
    activity.record({ kind: 'safe-removed', accountId, detail: name })
  }

  /** Restores a removed Safe with its name and members. @throws notFound when this account cannot */
  async restore(accountId: string, safeId: string): Promise<void> {
    const { removedSafes, activity, clock } = this.dependencies
    if (!isId(safeId) || !(await removedSafes.restore(safeId, accountId, clock()))) throw notFound('Safe')
    activity.record({ kind: 'safe-restored', accountId, safeId })
  }

  /** Removed Safes that this account can restore, ordered by id; 100 by default. */
  list(accountId: string, page?: ListOptions<string>): Promise<RemovedSafe[]> {
    return this.#list({ ...page, accountId })
  }

  /** For the operator: all removed Safes that can be restored. Does not check an account. */
  all(page?: ListOptions<string>): Promise<RemovedSafe[]> {
    return this.#list(page)
  }

  /** The Safes that would be removed with this account, at most `limit`. */
  async ownedOnlyBy(accountId: string, limit: number): Promise<ReadableSafe[]> {
    const { removedSafes, counting } = this.dependencies
    return counting.of(await removedSafes.ownedOnlyBy(accountId, limit))
  }

  /** Whether this account is the only owner of this Safe. */
  isOnlyOwner(accountId: string, safeId: string): Promise<boolean> {
    return this.dependencies.removedSafes.isOnlyOwner(safeId, accountId)
  }

  /** Permanently removes the Safes whose only owner is or was this account: nobody could restore them. */
  async removeOwnedOnlyBy(accountId: string): Promise<void> {
    const { safes, removedSafes, work } = this.dependencies
    const readable = await allOf(page => safes.readableBy(accountId, page))
    for (const { id } of readable) if (await removedSafes.isOnlyOwner(id, accountId)) await this.#remove(id)
    const removed = await allOf(page => removedSafes.list(0, { accountId, ...page }))
    for (const { id } of removed)
      if (await removedSafes.isOnlyFormerOwner(id, accountId))
        work.start(() => this.#purge(id, Number.MAX_SAFE_INTEGER))
  }

  /** Permanently removes everything that can no longer be restored. */
  async purgeExpired(): Promise<void> {
    const now = this.dependencies.clock()
    for await (const safeId of this.dependencies.removedSafes.expired(now)) await this.#purge(safeId, now)
  }

  async #list(page?: ListOptions<string> & { accountId?: string }): Promise<RemovedSafe[]> {
    const { removedSafes, counting, clock } = this.dependencies
    const counted = await counting.of(await removedSafes.list(clock(), page))
    return counted.map(({ version: _, ...safe }) => safe)
  }

  async #remove(safeId: string): Promise<void> {
    const { removedSafes, rows, work, clock } = this.dependencies
    const now = clock()
    const ended = await removedSafes.remove(safeId, now + RESTORABLE_MS, now + WORK_LEASE_MS)
    rows.drop(safeId)
    work.start(async () => {
      for (const id of ended) await dropRows(this.dependencies, safeId, [id, id], work.signal)
    })
  }

  /** Removes the rest of a removed Safe that cannot be restored at `now`. */
  async #purge(safeId: string, now: number): Promise<void> {
    const { removedSafes, syncedFolders, clock, indexes, activity, rows, work } = this.dependencies
    if (!(await removedSafes.purge(safeId, now))) return
    rows.drop(safeId)
    const { signal } = work
    while (!signal.aborted && (await syncedFolders.forgetSome(safeId))) await pause(PAUSE_MS)
    for (let last = 0; !signal.aborted; ) {
      const range = await removedSafes.removeSome(safeId, last, clock() + WORK_LEASE_MS)
      if (!range) break
      last = range[1]
      await dropRows(this.dependencies, safeId, range, signal)
    }
    await indexes.remove(safeId)
    await activity.forget('safe_id', safeId)
  }
}

/** All items of a paged list. */
const allOf = <Item extends { id: string }>(read: (page: ListOptions<string>) => Promise<Item[]>) =>
  findInPages(
    after => read({ after }),
    () => true,
    { limit: Number.POSITIVE_INFINITY },
  )
