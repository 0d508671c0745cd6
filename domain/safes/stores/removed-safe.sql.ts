import { sql } from 'kysely'
import type { Db } from '../../../platform/storage/schema.js'
import { hasEffect, inPages, selectWhere, tables, updateWhere } from '../../../platform/storage/where.js'
import { Store } from '../../store.js'
import type { ListOptions, RemovedSafe } from '../safe.js'
import {
  COUNTS,
  type Counted,
  countedOf,
  isLastOwner,
  type MembershipTable,
  readableBy,
  type StoredSafe,
  safeOf,
} from './safe-row.js'
import { type ImportRange, LISTED_AT_ONCE } from './types.js'

/** Imports of a removed Safe marked in one transaction. */
const REMOVED_AT_ONCE = 500

/** Memberships examined at once to find Safes without any. */
const LOOKED_AT_AT_ONCE = 500

/** Removed Safes, until an owner restores them or they are permanently deleted (ADR 45). */
export class RemovedSafeStore extends Store {
  /**
   * Sets all memberships aside, so that nobody can read the Safe any more, until an owner restores it (ADR 45).
   * Ends imports that were not committed, and returns them: their rows must be dropped.
   */
  remove(safeId: string, restorableUntil: number, leaseUntil: number): Promise<number[]> {
    return this.database.write(async trx => {
      await moveMemberships(trx, safeId, 'memberships', 'removed_memberships')
      await tables.change(trx, 'safes', { id: safeId }, { restorable_until: restorableUntil })
      const ended = await updateWhere(trx, 'imports', { safe_id: safeId, status: 'staged' })
        .set({ status: 'undone', lease_expires_at: leaseUntil })
        .where('lease_expires_at', '>', sql.lit(0))
        .returning('id')
        .execute()
      return ended.map(({ id }) => id)
    }, safeId)
  }

  /** Restores a removed Safe for its members. False unless this account owned it and `now` is in time. */
  restore(safeId: string, accountId: string, now: number): Promise<boolean> {
    return this.database.write(async trx => {
      const owner = await trx
        .selectFrom('removed_memberships as m')
        .innerJoin('safes as s', 's.id', 'm.safe_id')
        .where(eb => eb.and({ 'm.safe_id': safeId, 'm.account_id': accountId, 'm.role': 'owner' }))
        .where('s.restorable_until', '>', now)
        .select('m.role')
        .executeTakeFirst()
      if (!owner) return false
      await moveMemberships(trx, safeId, 'removed_memberships', 'memberships')
      await tables.change(trx, 'safes', { id: safeId }, { restorable_until: 0 })
      return true
    }, safeId)
  }

  /**
   * Makes the removal of a Safe final, so that `removeSome` can remove its rest. False when it has members, or
   * can still be restored at `now`.
   */
  purge(safeId: string, now: number): Promise<boolean> {
    return this.database.write(async trx => {
      if (
        !(await hasEffect(
          updateWhere(trx, 'safes', { id: safeId })
            .set({ restorable_until: 0 })
            .where('restorable_until', '<=', now)
            .where(eb =>
              eb.not(eb.exists(eb.selectFrom('memberships').where('safe_id', '=', safeId).select('safe_id'))),
            ),
        ))
      )
        return false
      await tables.remove(trx, 'removed_memberships', { safe_id: safeId })
      return true
    }, safeId)
  }

  /** Removed Safes that an owner can restore at `now`, ordered by id; those of one account, or all. */
  async list(
    now: number,
    { accountId, after, limit = LISTED_AT_ONCE }: ListOptions<string> & { accountId?: string } = {},
  ): Promise<(RemovedSafe & Counted & { version: number })[]> {
    const rows = await this.db
      .selectFrom('removed_memberships as m')
      .innerJoin('safes as s', 's.id', 'm.safe_id')
      .where('m.role', '=', 'owner')
      .where('s.restorable_until', '>', now)
      .$if(accountId !== undefined, query => query.where('m.account_id', '=', accountId ?? ''))
      .$if(after !== undefined, query => query.where('m.safe_id', '>', after ?? ''))
      .groupBy(['s.id', 's.name', 's.restorable_until', ...COUNTS])
      .orderBy('s.id')
      .limit(limit)
      .select(['s.id', 's.name', 's.restorable_until', ...COUNTS])
      .select(eb => eb.fn.min('m.account_id').as('owner'))
      .execute()
    return rows.map(({ id, name, restorable_until: restorableUntil, owner: ownerId, ...row }) => {
      return { id, name, version: row.version, ...countedOf(row), ownerId, restorableUntil }
    })
  }

  /** Whether no other account could restore this removed Safe. */
  isOnlyFormerOwner = (safeId: string, accountId: string) =>
    isLastOwner(this.db, safeId, accountId, 'removed_memberships')

  /**
   * Marks imports of a removed Safe after `after` as undone, so that their rows can be dropped. Returns their
   * range, or null when none were left and the Safe itself has been deleted.
   */
  removeSome(safeId: string, after: number, leaseUntil: number): Promise<ImportRange | null> {
    return this.database.write(async trx => {
      const ids = await selectWhere(trx, 'imports', { safe_id: safeId })
        .where('id', '>', after)
        .where(eb => eb.or([eb('status', '<>', 'undone'), eb('restorable_until', '>', 0)]))
        .orderBy('id')
        .limit(REMOVED_AT_ONCE)
        .select('id')
        .execute()
      const [from, to] = [ids[0]?.id, ids.at(-1)?.id]
      if (from === undefined || to === undefined) {
        await tables.remove(trx, 'safes', { id: safeId })
        return null
      }
      await updateWhere(trx, 'imports', { safe_id: safeId })
        .set({ status: 'undone', lease_expires_at: leaseUntil, restorable_until: 0 })
        .where('id', '>=', from)
        .where('id', '<=', to)
        .execute()
      return [from, to]
    }, safeId)
  }

  /**
   * Safes to purge at `now`: those without a member, after the time to restore them. That includes those whose
   * removal was interrupted.
   */
  async *expired(now: number): AsyncGenerator<string> {
    const memberships = this.db
      .selectFrom('safes as s')
      .leftJoin('memberships as m', 'm.safe_id', 's.id')
      .select(['s.id', 's.restorable_until', 'm.account_id as member'])
    for await (const rows of inPages(memberships, { 's.id': 'id' }, LOOKED_AT_AT_ONCE))
      for (const { id, restorable_until, member } of rows)
        if (member === null && restorable_until <= now) yield id
  }

  /** The Safes without another owner, at most `limit`, in the order in which the account received them. */
  async ownedOnlyBy(accountId: string, limit: number): Promise<StoredSafe[]> {
    const rows = await readableBy(this.db, accountId)
      .where('m.role', '=', 'owner')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('memberships as o')
              .whereRef('o.safe_id', '=', 'm.safe_id')
              .whereRef('o.account_id', '<>', 'm.account_id')
              .where('o.role', '=', 'owner')
              .select('o.account_id'),
          ),
        ),
      )
      .limit(limit)
      .execute()
    return rows.map(safeOf)
  }

  /** Whether this account is the only owner. */
  isOnlyOwner = (safeId: string, accountId: string) => isLastOwner(this.db, safeId, accountId)
}

async function moveMemberships(
  trx: Db,
  safeId: string,
  from: MembershipTable,
  to: MembershipTable,
): Promise<void> {
  const columns = ['safe_id', 'account_id', 'role', 'created_at', 'invited_by'] as const
  await trx
    .insertInto(to)
    .columns(columns)
    .expression(trx.selectFrom(from).where('safe_id', '=', safeId).select(columns))
    .execute()
  await trx.deleteFrom(from).where('safe_id', '=', safeId).execute()
}
