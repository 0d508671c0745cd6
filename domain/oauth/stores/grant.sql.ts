import type { CompiledQuery } from 'kysely'
import type { Database } from '../../../platform/storage/database.js'
import type { Db } from '../../../platform/storage/schema.js'
import { deleteWhere, selectWhere, tables, updateWhere } from '../../../platform/storage/where.js'
import { Store } from '../../store.js'
import type { Grant } from '../connections/access.js'
import { evaluateRedemption, evaluateRotation, seedColumn } from './evaluate-grant.js'
import { addAccessToken, endGrant, findGrantRow, newGrantRow, readGrant, writeGrant } from './grant-row.js'
import {
  type FoundAccess,
  type GrantStore,
  type Issued,
  type NewCode,
  type NewSession,
  type RedeemOutcome,
  type Redemption,
  type RotateOutcome,
  type Rotation,
  SESSIONS_PER_CONNECTION,
  type StoredSecret,
} from './types.js'

/**
 * Each operation reads, checks and writes in one transaction. The `where` of the write repeats the check, so
 * that only one process succeeds even if the transaction does not lock the rows it reads.
 */
export class SqlGrantStore extends Store implements GrantStore {
  readonly #access = this.database.prepare(accessQuery(this.database))

  async beginWithCode(connectionId: string, grant: Grant, code: NewCode): Promise<void> {
    await this.insertRow('grants', newGrantRow(connectionId, grant, code))
  }

  async beginWithToken(connectionId: string, grant: Grant, token: StoredSecret): Promise<void> {
    await this.database.write(async trx => {
      const row = { ...newGrantRow(connectionId, grant, null), expires_at: token.expiresAt }
      await tables.insert(trx, 'grants', row)
      await addAccessToken(trx, connectionId, token, grant.scope)
    })
  }

  redeem(redemption: Redemption): Promise<RedeemOutcome> {
    return this.database.write(trx => redeem(trx, redemption), redemption.connectionId)
  }

  rotate(rotation: Rotation): Promise<RotateOutcome> {
    return this.database.write(trx => rotate(trx, rotation), rotation.connectionId)
  }

  async settle(issued: readonly Issued[]): Promise<void> {
    const ids = issued.map(({ connectionId }) => connectionId)
    const hashes = issued.map(({ refreshHash }) => refreshHash)
    await this.database.write(trx =>
      trx
        .updateTable('grants')
        .set({ grace_pair: null })
        .where('connection_id', 'in', ids)
        .where('refresh_hash', 'in', hashes)
        .execute(),
    )
  }

  async find(connectionId: string): Promise<Grant | null> {
    const row = await tables.find(this.db, 'grants', { connection_id: connectionId }, ['facts_json'])
    return row ? readGrant(row.facts_json) : null
  }

  async findActive(connectionIds: readonly string[], now: number): Promise<Set<string>> {
    if (connectionIds.length === 0) return new Set()
    const rows = await this.db
      .selectFrom('grants')
      .select('connection_id')
      .where('connection_id', 'in', connectionIds)
      .where('expires_at', '>', now)
      .execute()
    return new Set(rows.map(row => row.connection_id))
  }

  async change(connectionId: string, change: (grant: Grant) => Grant): Promise<Grant | null> {
    return this.database.write(async trx => {
      const row = await findGrantRow(trx, connectionId)
      if (!row) return null
      const grant = change(readGrant(row.facts_json))
      const isChanged = await tables.change(
        trx,
        'grants',
        { connection_id: connectionId },
        { facts_json: writeGrant(grant) },
      )
      return isChanged ? grant : null
    }, connectionId)
  }

  async revoke(connectionId: string): Promise<void> {
    await this.database.write(trx => endGrant(trx, connectionId), connectionId)
  }

  async revokeAll(connectionIds: readonly string[]): Promise<void> {
    if (connectionIds.length === 0) return
    await this.database.write(async trx => {
      for (const table of ['grants', 'access_tokens', 'mcp_sessions'] as const)
        await trx.deleteFrom(table).where('connection_id', 'in', connectionIds).execute()
    })
  }

  async revokeAccessToken(connectionId: string, tokenHash: string): Promise<void> {
    await this.removeRows('access_tokens', { connection_id: connectionId, token_hash: tokenHash })
  }

  async findAccess(
    connectionId: string,
    tokenHash: string,
    sessionHash: string | null,
    now: number,
  ): Promise<FoundAccess | null> {
    const [row] = await this.#access(sessionHash ?? '', connectionId, tokenHash)
    if (!row || row.expires_at <= now) return null
    return {
      grant: readGrant(row.facts_json),
      tokenScope: row.scope.split(' '),
      selectedSafeId: row.selected_safe_id,
      session:
        row.protocol_version && (row.session_expires_at ?? 0) > now
          ? {
              protocolVersion: row.protocol_version,
              selectedSafeId: row.session_safe_id,
              showsApps: row.shows_apps === 1,
            }
          : null,
    }
  }

  async openSession(connectionId: string, session: NewSession): Promise<void> {
    await this.database.write(async trx => {
      await dropOldSessions(trx, connectionId)
      await tables.insert(trx, 'mcp_sessions', {
        connection_id: connectionId,
        id_hash: session.hash,
        protocol_version: session.protocolVersion,
        selected_safe_id: session.selectedSafeId,
        expires_at: session.expiresAt,
        shows_apps: session.showsApps ? 1 : 0,
      })
    }, connectionId)
  }

  async endSession(connectionId: string, sessionHash: string): Promise<void> {
    await this.removeRows('mcp_sessions', { connection_id: connectionId, id_hash: sessionHash })
  }

  async select(connectionId: string, safeId: string, session: StoredSecret | null): Promise<void> {
    await this.database.write(async trx => {
      await tables.change(trx, 'grants', { connection_id: connectionId }, { selected_safe_id: safeId })
      if (!session) return
      await tables.change(
        trx,
        'mcp_sessions',
        { connection_id: connectionId, id_hash: session.hash },
        { selected_safe_id: safeId, expires_at: session.expiresAt },
      )
    })
  }
}

interface AccessRow {
  scope: string
  expires_at: number
  facts_json: string
  selected_safe_id: string | null
  protocol_version: string | null
  session_safe_id: string | null
  session_expires_at: number | null
  shows_apps: number | null
}

/** Runs on every MCP request. Parameters: session hash, connection id, token hash. */
function accessQuery(database: Database): CompiledQuery<AccessRow> {
  return database.read
    .selectFrom('access_tokens as token')
    .innerJoin('grants', 'grants.connection_id', 'token.connection_id')
    .leftJoin('mcp_sessions as session', join =>
      join.onRef('session.connection_id', '=', 'token.connection_id').on('session.id_hash', '=', ''),
    )
    .select(['token.scope', 'token.expires_at', 'grants.facts_json', 'grants.selected_safe_id'])
    .select(['session.protocol_version', 'session.selected_safe_id as session_safe_id'])
    .select(['session.expires_at as session_expires_at', 'session.shows_apps'])
    .where('token.connection_id', '=', '')
    .where('token.token_hash', '=', '')
    .compile()
}

async function redeem(trx: Db, redemption: Redemption): Promise<RedeemOutcome> {
  const { connectionId, now, access } = redemption
  const row = await findGrantRow(trx, connectionId)
  if (!row) return { outcome: 'unknown' }
  const grant = readGrant(row.facts_json)
  const refusal = evaluateRedemption(row, grant, redemption)
  if (refusal) {
    if (refusal.outcome === 'replayed') await endGrant(trx, connectionId)
    return refusal
  }
  const won = await updateWhere(trx, 'grants', { connection_id: connectionId })
    .set({
      code_used_at: now,
      ...columnsOf(redemption, 1, grant.scope),
    })
    .where('code_used_at', 'is', null)
    .returning('connection_id')
    .executeTakeFirst()
  if (!won) return { outcome: 'used' }
  await addAccessToken(trx, connectionId, access, grant.scope)
  return { outcome: 'redeemed', grant }
}

async function rotate(trx: Db, rotation: Rotation): Promise<RotateOutcome> {
  const { connectionId, presented, access } = rotation
  const row = await findGrantRow(trx, connectionId)
  if (!row) return { outcome: 'unknown' }
  const grant = readGrant(row.facts_json)
  const refusal = evaluateRotation(row, grant, rotation)
  if (refusal) {
    if (refusal.outcome === 'reused') await endGrant(trx, connectionId)
    return refusal
  }
  const won = await updateWhere(trx, 'grants', { connection_id: connectionId, refresh_hash: presented.hash })
    .set(columnsOf(rotation, presented.generation + 1, rotation.scope ?? grant.scope))
    .returning('connection_id')
    .executeTakeFirst()
  if (!won) return { outcome: 'raced' }
  await addAccessToken(trx, connectionId, access, rotation.scope ?? grant.scope)
  return { outcome: 'rotated', grant }
}

const columnsOf = ({ now, refresh, seed }: Redemption | Rotation, generation: number, scope: string[]) => ({
  refresh_hash: refresh.hash,
  refresh_generation: generation,
  refresh_expires_at: refresh.expiresAt,
  rotated_at: now,
  grace_pair: seedColumn(seed, scope),
  expires_at: refresh.expiresAt,
})

/** Removes the oldest sessions to allow one more. */
async function dropOldSessions(trx: Db, connectionId: string): Promise<void> {
  const kept = selectWhere(trx, 'mcp_sessions', { connection_id: connectionId })
    .select('id_hash')
    .orderBy('expires_at', 'desc')
    .limit(SESSIONS_PER_CONNECTION - 1)
  await deleteWhere(trx, 'mcp_sessions', { connection_id: connectionId })
    .where('id_hash', 'not in', kept)
    .execute()
}
