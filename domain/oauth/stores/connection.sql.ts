import { setImmediate as otherRequests } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { DAY_MS, dayOf } from '../../../platform/common/durations.js'
import type { Database } from '../../../platform/storage/database.js'
import { deleteSome } from '../../../platform/storage/slices.js'
import { rowsAfter, rowsBefore, selectWhere, tables } from '../../../platform/storage/where.js'
import { Store } from '../../store.js'
import { type Connection, type ConnectionPage, type Grant, powersOf } from '../connections/access.js'
import { chosenColumns, connectionOf, powersColumn, rowOf } from './connection-row.js'
import { CONNECTION_BATCH_SIZE, type Use } from './types.js'

/** How long calls are counted by day. */
export const CALL_DAYS = 30

/** Maximum open connections read to combine those of an app. Hosted assistants leave some behind each week. */
const MEMBERS_READ = 500

/** Connections examined together to find the newest of each app. */
const KEYS_AT_ONCE = 1_000

/** Connections as users see them: durable rows that are kept after the connection ends. */
export class ConnectionStore extends Store {
  async add(connection: Connection & { resourceSent: boolean }): Promise<void> {
    await this.insertRow('connections', rowOf(connection))
  }

  async find(connectionId: string): Promise<Connection | null> {
    const row = await tables.find(this.db, 'connections', { id: connectionId })
    return row ? connectionOf(row) : null
  }

  /** Lists the connections of an account in pages: newest first, or, for ended ones, most recently ended first. */
  async listFor(
    accountId: string,
    { kind, after, limit, newestOfApp = false }: ConnectionPage & { limit: number },
  ): Promise<Connection[]> {
    const order = kind === 'ended' ? 'revoked_at' : 'created_at'
    const last = after === undefined ? null : await sortKeyOf(this.database, accountId, after, order)
    if (after !== undefined && last === null) return []
    const listed = selectWhere(this.db, 'connections', { account_id: accountId })
      .$if(kind === 'open', query => query.where('revoked_at', 'is', null))
      .$if(kind === 'ended', query => query.where('revoked_at', 'is not', null))
      .$if(last !== null, query => query.where(rowsBefore([order, 'id'], [last, after])))
      .orderBy(order, 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
    if (!newestOfApp) return (await listed.selectAll().execute()).map(connectionOf)
    const newest: string[] = []
    for (let next = listed; newest.length < limit; await otherRequests()) {
      const slice = next.select(['account_id', 'app', 'id', order]).limit(KEYS_AT_ONCE)
      const [found, [end]] = await Promise.all([
        this.db
          .selectFrom(slice.as('connections'))
          .where(sql<boolean>`not ${hasNewer(kind)}`)
          .orderBy(order, 'desc')
          .orderBy('id', 'desc')
          .select('id')
          .execute(),
        slice
          .select(`${order} as sortKey`)
          .offset(KEYS_AT_ONCE - 1)
          .limit(1)
          .execute(),
      ])
      newest.push(...found.map(({ id }) => id))
      if (!end) break
      next = listed.where(rowsBefore([order, 'id'], [end.sortKey, end.id]))
    }
    const shown = newest.slice(0, limit)
    if (shown.length === 0) return []
    const rows = await listed.selectAll().where('id', 'in', shown).execute()
    return rows.map(connectionOf)
  }

  /** The open connections of these apps, newest first and before `before`, at most `MEMBERS_READ`. */
  async openOf(accountId: string, apps: readonly string[], before?: Connection): Promise<Connection[]> {
    if (apps.length === 0) return []
    const rows = await selectWhere(this.db, 'connections', { account_id: accountId })
      .selectAll()
      .where('app', 'in', apps)
      .where('revoked_at', 'is', null)
      .$if(before !== undefined, query =>
        query.where(rowsBefore(['created_at', 'id'], [before?.createdAt, before?.id])),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(MEMBERS_READ)
      .execute()
    return rows.map(connectionOf)
  }

  /** The connections of an app, also ended ones, newest first. */
  async ofApp(accountId: string, app: string, limit: number): Promise<Connection[]> {
    const rows = await selectWhere(this.db, 'connections', { account_id: accountId, app })
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(connectionOf)
  }

  /**
   * Records that and why at most `CONNECTION_BATCH_SIZE` connections ended. Later calls do not change the reason.
   * @returns the connections that had not ended before
   */
  async markRevoked(
    connectionIds: readonly string[],
    at: number,
    reason: string,
  ): Promise<{ id: string; accountId: string }[]> {
    return this.database.write(trx =>
      trx
        .updateTable('connections')
        .set({ revoked_at: at, revoked_reason: reason })
        .where('id', 'in', connectionIds)
        .where('revoked_at', 'is', null)
        .returning(['id', 'account_id as accountId'])
        .execute(),
    )
  }

  /** Does nothing if the account has no such connection. */
  async keepQuestions(accountId: string, connectionId: string, keep: boolean): Promise<void> {
    await this.changeRows(
      'connections',
      { id: connectionId, account_id: accountId },
      { keep_questions: Number(keep) },
    )
  }

  /** The calls of each connection by day, for `CALL_DAYS` days until `now`. */
  async callsByDay(connectionIds: readonly string[], now: number): Promise<Map<string, number[]>> {
    const first = dayOf(now) - CALL_DAYS + 1
    const calls = new Map(connectionIds.map(id => [id, Array<number>(CALL_DAYS).fill(0)]))
    if (connectionIds.length === 0) return calls
    const rows = await this.db
      .selectFrom('connection_days')
      .selectAll()
      .where('connection_id', 'in', connectionIds)
      .where('day', '>=', first)
      .execute()
    for (const row of rows) {
      const days = calls.get(row.connection_id)
      if (days && row.day - first < CALL_DAYS) days[row.day - first] = row.calls
    }
    return calls
  }

  /** Records the access of a connection after a change. */
  async markChanged(connectionId: string, grant: Grant): Promise<void> {
    const powers = powersColumn(powersOf(grant))
    await this.changeRows(
      'connections',
      { id: connectionId },
      { scope: grant.scope.join(' '), ...chosenColumns(grant), powers },
    )
  }

  /** Adds to the call counts, in total and by day, of at most `CONNECTION_BATCH_SIZE` connections. */
  async recordUse(uses: readonly Use[]): Promise<void> {
    if (uses.length === 0) return
    const rows = uses.map(
      ({ connectionId, calls, at }) =>
        sql`(cast(${connectionId} as text), cast(${calls} as integer), cast(${at} as bigint))`,
    )
    const used = sql`with used (id, calls, at) as (values ${sql.join(rows)})`
    await this.database.write(async trx => {
      await sql`${used} update connections set calls = connections.calls + used.calls, last_used_at = used.at
          from used where connections.id = used.id`.execute(trx)
      await sql`${used} insert into connection_days (connection_id, day, calls)
          select used.id, used.at / ${sql.lit(DAY_MS)}, used.calls
          from used join connections on connections.id = used.id where true
          on conflict (connection_id, day) do update set calls = connection_days.calls + excluded.calls`.execute(
        trx,
      )
    })
  }

  /**
   * Returns up to `CONNECTION_BATCH_SIZE` connections that have not been ended and were created before
   * `createdBefore`, oldest first, starting after `after`.
   */
  async oldest(createdBefore: number, after?: Pick<Connection, 'id' | 'createdAt'>): Promise<Connection[]> {
    const rows = await this.db
      .selectFrom('connections')
      .selectAll()
      .where('revoked_at', 'is', null)
      .where('created_at', '<', createdBefore)
      .$if(after !== undefined, query =>
        query.where(rowsAfter(['created_at', 'id'], [after?.createdAt, after?.id])),
      )
      .orderBy('created_at')
      .orderBy('id')
      .limit(CONNECTION_BATCH_SIZE)
      .execute()
    return rows.map(connectionOf)
  }

  /** Deletes at most `CONNECTION_BATCH_SIZE` connections. */
  async forget(connectionIds: readonly string[]): Promise<void> {
    if (connectionIds.length === 0) return
    await this.database.write(trx => trx.deleteFrom('connections').where('id', 'in', connectionIds).execute())
  }

  /** Deletes a batch of an account's connections. Returns false if none are left. */
  forgetSome(accountId: string): Promise<boolean> {
    return this.database.write(
      async trx => (await deleteSome(trx, 'connections', sql`account_id = ${accountId}`)) > 0,
    )
  }
}

/** The value that the list of connections is sorted by, or null if the connection is not in the list. */
async function sortKeyOf(
  { read }: Database,
  accountId: string,
  connectionId: string,
  order: 'created_at' | 'revoked_at',
): Promise<number | null> {
  const row = await read
    .selectFrom('connections')
    .where('id', '=', connectionId)
    .where('account_id', '=', accountId)
    .select([`${order} as sortKey`])
    .executeTakeFirst()
  return row?.sortKey ?? null
}

/**
 * Whether the same app has a connection that the list shows instead. Each part is one step in an index; with `exists`,
 * Postgres would join all connections of the account whenever it has not counted them yet.
 */
function hasNewer(kind: ConnectionPage['kind']) {
  const newer = (condition: RawBuilder<unknown>) =>
    sql`(select 1 from connections as newer where newer.account_id = connections.account_id
      and newer.app = connections.app and ${condition} limit 1) is not null`
  const newerThan = (column: 'created_at' | 'revoked_at') =>
    sql.raw(`(newer.${column}, newer.id) > (connections.${column}, connections.id)`)
  if (kind !== 'ended') return newer(sql`newer.revoked_at is null and ${newerThan('created_at')}`)
  return sql`(${newer(sql`newer.revoked_at is null`)}
    or ${newer(sql`newer.revoked_at is not null and ${newerThan('revoked_at')}`)})`
}
