import { type SqlBool, sql } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import { deleteAll } from '../../../platform/storage/slices.js'
import { selectWhere, tables } from '../../../platform/storage/where.js'
import { fromRow, toRow } from '../../names.js'
import { Store } from '../../store.js'
import type { NewProposal, Proposal, ProposalStatus, ProposedText } from '../proposal.js'

/** Proposals are counted up to a limit within the same transaction that adds one. */
interface AddLimits {
  /** Undecided proposals in the Safe, and of this account in it. */
  pending: number
  perAccount: number
  perConnection: number
  since: number
}

type Added =
  | { outcome: 'added' | 'known'; id: string; status: ProposalStatus }
  | { outcome: 'blocked' | 'tooManyPending' | 'tooManyOfAccount' | 'tooManyAtOnce' }

interface NewRow extends NewProposal {
  id: string
  safeId: string
  accountId: string
  connectionId: string
  contentHash: string
  createdAt: number
  expiresAt: number
}

export interface PendingPage {
  /** Proposals after this one. */
  after?: string
  limit: number
}

/** A connection whose proposals to a Safe are always rejected. */
interface RejectedConnection {
  id: string
  name: string
  email: string
}

/** Proposals in SQL. */
export class ProposalStore extends Store {
  /** Adds a proposal, or finds the one with the same content. Calls for the same Safe run one after the other. */
  add(row: NewRow, limits: AddLimits): Promise<Added> {
    return this.database.write(async trx => {
      const rejected = await tables.find(
        trx,
        'rejected_connections',
        { safe_id: row.safeId, connection_id: row.connectionId },
        ['safe_id'],
      )
      if (rejected) return { outcome: 'blocked' }
      const known = await tables.find(
        trx,
        'proposals',
        { safe_id: row.safeId, content_hash: row.contentHash },
        ['id', 'status'],
      )
      if (known) return { outcome: 'known', ...known }
      const pending = await selectWhere(trx, 'proposals', { safe_id: row.safeId, status: 'pending' })
        .select('account_id')
        .limit(limits.pending)
        .execute()
      const own = pending.filter(({ account_id }) => account_id === row.accountId)
      if (own.length >= limits.perAccount) return { outcome: 'tooManyOfAccount' }
      if (pending.length >= limits.pending) return { outcome: 'tooManyPending' }
      const recent = await selectWhere(trx, 'proposals', { connection_id: row.connectionId })
        .where('created_at', '>', limits.since)
        .select('id')
        .limit(limits.perConnection)
        .execute()
      if (recent.length >= limits.perConnection) return { outcome: 'tooManyAtOnce' }
      const { statements, texts = [], ...same } = row
      const items = [
        ...statements.map(s => [s.subject, s.predicate, s.object]),
        ...texts.map(t => [t.path, t.change, t.text, t.at, t.version]),
      ]
      const added = { ...toRow(same), statements_json: JSON.stringify(items), status: 'pending' as const }
      await tables.insert(trx, 'proposals', added)
      return { outcome: 'added', id: row.id, status: 'pending' }
    }, `proposals:${row.safeId}`)
  }

  /** Undecided proposals of a Safe, oldest first. */
  async pending(safeId: string, now: number, { after, limit }: PendingPage): Promise<Proposal[]> {
    const rows = await this.#select()
      .where(eb => eb.and({ 'p.safe_id': safeId, 'p.status': 'pending' }))
      .where('p.expires_at', '>', now)
      .$if(after !== undefined, query =>
        query.where(
          sql<SqlBool>`(p.created_at, p.id) > (select created_at, id from proposals where id = ${after})`,
        ),
      )
      .orderBy('p.created_at')
      .orderBy('p.id')
      .limit(limit)
      .execute()
    return rows.map(proposalOf)
  }

  /** The newest undecided proposals for the Safes that an account owns. */
  async waitingFor(
    accountId: string,
    now: number,
    limit: number,
  ): Promise<(Proposal & { safeName: string })[]> {
    const rows = await this.#select()
      .innerJoin('memberships as m', 'm.safe_id', 'p.safe_id')
      .innerJoin('safes as s', 's.id', 'p.safe_id')
      .where(eb => eb.and({ 'm.account_id': accountId, 'm.role': 'owner', 'p.status': 'pending' }))
      .where('p.expires_at', '>', now)
      .orderBy('p.created_at', 'desc')
      .orderBy('p.id')
      .limit(limit)
      .select('s.name as safe_name')
      .execute()
    return rows.map(({ safe_name: safeName, ...row }) => ({ ...proposalOf(row), safeName }))
  }

  /** An undecided proposal, or null. */
  async find(safeId: string, id: string, now: number): Promise<Proposal | null> {
    const row = await this.#select()
      .where(eb => eb.and({ 'p.safe_id': safeId, 'p.id': id, 'p.status': 'pending' }))
      .where('p.expires_at', '>', now)
      .executeTakeFirst()
    return row ? proposalOf(row) : null
  }

  /** Decides a proposal. False if it was decided before. */
  decide(safeId: string, id: string, status: 'accepted' | 'rejected'): Promise<boolean> {
    return this.changeRows('proposals', { safe_id: safeId, id, status: 'pending' }, { status })
  }

  /** Rejects this connection's proposals to this Safe, now and in the future. */
  async rejectAlways(safeId: string, connectionId: string): Promise<void> {
    await this.database.write(async trx => {
      await tables.add(trx, 'rejected_connections', { safe_id: safeId, connection_id: connectionId })
      await tables.change(
        trx,
        'proposals',
        { safe_id: safeId, connection_id: connectionId, status: 'pending' },
        { status: 'rejected' },
      )
    })
  }

  /** Rejects the proposals to this Safe from the account of this proposal, with any connection. */
  async rejectPerson(safeId: string, proposalId: string): Promise<void> {
    await this.changeRows(
      'proposals',
      {
        safe_id: safeId,
        status: 'pending',
        account_id: e =>
          e.selectFrom('proposals as one').select('one.account_id').where('one.id', '=', proposalId),
      },
      { status: 'rejected' },
    )
  }

  /** The connections whose proposals to this Safe are always rejected; at most `limit`. */
  async rejected(safeId: string, limit: number): Promise<RejectedConnection[]> {
    const rows = await this.db
      .selectFrom('rejected_connections as r')
      .innerJoin('connections as c', 'c.id', 'r.connection_id')
      .innerJoin('accounts as a', 'a.id', 'c.account_id')
      .where('r.safe_id', '=', safeId)
      .orderBy('r.connection_id')
      .limit(limit)
      .select(['c.id', 'c.client_name', 'a.email'])
      .execute()
    return rows.map(({ id, client_name: name, email }) => ({ id, name, email }))
  }

  async allowAgain(safeId: string, connectionId: string): Promise<void> {
    await this.removeRows('rejected_connections', { safe_id: safeId, connection_id: connectionId })
  }

  /** Deletes expired proposals. */
  expire(now: number): Promise<void> {
    return deleteAll(this.database, 'proposals', sql`expires_at <= ${now}`)
  }

  #select() {
    return this.db
      .selectFrom('proposals as p')
      .innerJoin('accounts as a', 'a.id', 'p.account_id')
      .leftJoin('connections as c', 'c.id', 'p.connection_id')
      .select(COLUMNS.map(column => `p.${column}` as const))
      .select(['a.email', 'c.client_name'])
  }
}

type Row = Pick<Schema['proposals'], (typeof COLUMNS)[number]> & { email: string; client_name: string | null }
const COLUMNS = [
  ...(['id', 'safe_id', 'connection_id', 'statements_json'] as const),
  ...(['note', 'source', 'created_at', 'expires_at'] as const),
]

function proposalOf({ statements_json, client_name, ...row }: Row): Proposal {
  const parts: [string, string, string, string?, (string | null)?][] = JSON.parse(statements_json)
  return {
    ...fromRow(row),
    assistant: client_name ?? '',
    statements: parts.flatMap(([subject, predicate, object, at]) =>
      at === undefined ? { subject, predicate, object } : [],
    ),
    texts: parts.flatMap(([path, change, text, at, version = null]) =>
      at === undefined ? [] : { path, change: change as ProposedText['change'], text, at, version },
    ),
  }
}
