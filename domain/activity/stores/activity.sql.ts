import { type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/storage/database.js'
import { deleteAll } from '../../../platform/storage/slices.js'
import { selectWhere, tables } from '../../../platform/storage/where.js'
import { Store } from '../../store.js'
import { type ActivityKind, NOTICE_KINDS, type ShownEntry, type StoredEntry } from '../entry.js'
import { timeOfId } from '../entry-id.js'
import type { DocumentReadStore } from './document-reads.sql.js'
import { EntryInserts } from './entry-inserts.js'

/** The entries of an account, of a Safe or of a connection: one range of one index. */
export interface EntryScope {
  column: 'account_id' | 'safe_id' | 'connection_id'
  id: string
}

/** The filters of `ActivityStore.scan`. */
export interface EntryKey {
  id: string
  kind: ActivityKind
  accountId: string
  safeId: string | null
  connectionId: string | null
  /** 1 if the account of the entry can read its Safe, or the entry has none. */
  readable: number
}

/** The items that a question read, as `readItems` wrote them. */
interface ReadKey {
  id: string
  accountId: string
  connectionId: string | null
  readJson: string | null
}

/** A connection with its account: null for the viewer's own. */
export interface Assistant {
  connectionId: string
  name: string
  email: string | null
}

interface Range {
  /** Entries before this one. */
  before?: string | undefined
  /** Entries from this id on; older ones have expired. */
  from: string
  limit: number
}

// Literals, because otherwise SQLite does not use the index of these kinds.
const isNotice = sql<SqlBool>`kind in (${sql.join(NOTICE_KINDS.map(kind => sql.lit(kind)))})`

/** Entries in SQL, the newest last. Each query reads one range of one index. */
export class ActivityStore extends Store {
  readonly #inserts = new EntryInserts(this.db)
  readonly #reads: DocumentReadStore
  readonly #unseen = this.database.prepare<{ id: string }>(
    selectWhere(this.db, 'activity', { account_id: '' })
      .where(isNotice)
      .where(
        'id',
        '>',
        sql<string>`coalesce(${selectWhere(this.db, 'accounts', { id: '' }).select('seen_activity')}, '')`,
      )
      .orderBy('id', 'desc')
      .limit(0)
      .select('id')
      .compile(),
  )

  constructor(database: Database, reads: DocumentReadStore) {
    super(database)
    this.#reads = reads
  }

  /**
   * Adds new entries and counts their reads. Leaves out entries whose account or Safe has been removed, and the questions
   * of connections whose user does not want them stored.
   */
  add(entries: readonly StoredEntry[]): Promise<void> {
    return this.database.write(async trx => {
      const added = await this.#inserts.add(trx, entries)
      await this.#reads.add(trx, added)
    })
  }

  /** The keys of entries in a range, newest first. */
  async scan({ column, id }: EntryScope, { before, from, limit }: Range): Promise<EntryKey[]> {
    return this.db
      .selectFrom('activity as a')
      .where(`a.${column}`, '=', id)
      .where('a.id', '>=', from)
      .$if(before !== undefined, query => query.where('a.id', '<', before ?? ''))
      .orderBy('a.id', 'desc')
      .limit(limit)
      .select(['a.id', sql<ActivityKind>`a.kind`.as('kind'), 'a.account_id as accountId'])
      .select(['a.safe_id as safeId', 'a.connection_id as connectionId'])
      .select(
        sql<number>`case when a.safe_id is null or exists (select 1 from memberships as m
          where m.safe_id = a.safe_id and m.account_id = a.account_id) then 1 else 0 end`.as('readable'),
      )
      .execute()
  }

  /** The reads in a Safe, newest first. Entries of other kinds contain no reads, but count towards the limit. */
  async reads(safeId: string, { before, from, limit }: Range): Promise<ReadKey[]> {
    return selectWhere(this.db, 'activity', { safe_id: safeId })
      .where('id', '>=', from)
      .$if(before !== undefined, query => query.where('id', '<', before ?? ''))
      .orderBy('id', 'desc')
      .limit(limit)
      .select(['id', 'account_id as accountId', 'connection_id as connectionId', 'read_json as readJson'])
      .execute()
  }

  /** The notices of an account that it has not seen, newest first. */
  async unseen(accountId: string, limit: number): Promise<string[]> {
    return (await this.#unseen(accountId, accountId, limit)).map(({ id }) => id)
  }

  /** Notices up to this entry have been seen. */
  async see(accountId: string, id: string): Promise<void> {
    await this.changeRows('accounts', { id: accountId }, { seen_activity: id })
  }

  /** Reads entries by their ids, newest first. */
  async read(ids: readonly string[]): Promise<ShownEntry[]> {
    if (ids.length === 0) return []
    const rows = await this.db
      .selectFrom('activity as a')
      .innerJoin('accounts as u', 'u.id', 'a.account_id')
      .leftJoin('connections as c', 'c.id', 'a.connection_id')
      .leftJoin('safes as s', 's.id', 'a.safe_id')
      .where('a.id', 'in', ids)
      .orderBy('a.id', 'desc')
      .selectAll('a')
      .select(['u.email', 'c.client_name', 'c.client_verified', 's.name as safe_name'])
      .execute()
    return rows.map(({ id, email, detail, facts, passages, question, ...row }) => ({
      ...{ id, email, detail, facts, passages, question },
      at: timeOfId(id),
      kind: row.kind as ActivityKind,
      // A deleted connection has no name that could be false.
      assistant:
        row.connection_id === null
          ? null
          : { connectionId: row.connection_id, name: row.client_name, isVerified: row.client_verified !== 0 },
      safe: row.safe_id && row.safe_name !== null ? { id: row.safe_id, name: row.safe_name } : null,
      read: row.read_json === null ? [] : JSON.parse(row.read_json),
    }))
  }

  /** The role of an account in a Safe, or null. */
  async role(accountId: string, safeId: string): Promise<'owner' | 'reader' | null> {
    const row = await tables.find(this.db, 'memberships', { safe_id: safeId, account_id: accountId }, [
      'role',
    ])
    return row?.role ?? null
  }

  /** Whether the connection belongs to the account. */
  async hasConnection(accountId: string, connectionId: string): Promise<boolean> {
    const row = await tables.find(this.db, 'connections', { id: connectionId, account_id: accountId }, ['id'])
    return row !== undefined
  }

  /** These connections by name, as this account sees them. */
  async assistants(ids: readonly string[], viewerId: string): Promise<Assistant[]> {
    if (ids.length === 0) return []
    const rows = await this.db
      .selectFrom('connections as c')
      .innerJoin('accounts as u', 'u.id', 'c.account_id')
      .where('c.id', 'in', ids)
      .orderBy('c.client_name')
      .select(['c.id as connectionId', 'c.client_name as name', 'u.id as owner', 'u.email'])
      .execute()
    return rows.map(({ owner, email, ...row }) => ({ ...row, email: owner === viewerId ? null : email }))
  }

  /** The names of these Safes. */
  async safes(ids: readonly string[]): Promise<{ id: string; name: string }[]> {
    if (ids.length === 0) return []
    return this.db.selectFrom('safes').where('id', 'in', ids).orderBy('name').select(['id', 'name']).execute()
  }

  forget({ column, id }: EntryScope): Promise<void> {
    return deleteAll(this.database, 'activity', sql`${sql.ref(column)} = ${id}`)
  }

  /** Deletes the entries before this id. */
  expire(before: string): Promise<void> {
    return deleteAll(this.database, 'activity', sql`id < ${before}`)
  }
}
