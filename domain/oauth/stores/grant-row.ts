import type { Kysely } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import { deleteWhere, selectWhere } from '../../../platform/storage/where.js'
import { type Grant, startingSafe } from '../connections/access.js'
import type { GrantRow } from './evaluate-grant.js'
import { writeGrant } from './stored-grant.js'
import type { NewCode, StoredSecret } from './types.js'

/** The row of a new grant. It expires with its code, if there is one. */
export function newGrantRow(connectionId: string, grant: Grant, code: NewCode | null): GrantRow {
  const codeJson = code && { redirectUri: code.redirectUri, challenge: code.challenge }
  return {
    connection_id: connectionId,
    facts_json: writeGrant(grant),
    selected_safe_id: startingSafe(grant),
    code_hash: code?.hash ?? null,
    code_json: codeJson && JSON.stringify(codeJson),
    code_expires_at: code?.expiresAt ?? 0,
    code_used_at: null,
    refresh_hash: null,
    refresh_generation: 0,
    refresh_expires_at: 0,
    rotated_at: 0,
    grace_pair: null,
    expires_at: code?.expiresAt ?? 0,
  }
}

/** The row of a connection's grant. */
export function findGrantRow(trx: Kysely<Schema>, connectionId: string): Promise<GrantRow | undefined> {
  return selectWhere(trx, 'grants', { connection_id: connectionId }).selectAll().executeTakeFirst()
}

/** Removes a grant with its access tokens and sessions. */
export async function endGrant(trx: Kysely<Schema>, connectionId: string): Promise<void> {
  await deleteWhere(trx, 'grants', { connection_id: connectionId }).execute()
  await deleteWhere(trx, 'access_tokens', { connection_id: connectionId }).execute()
  await deleteWhere(trx, 'mcp_sessions', { connection_id: connectionId }).execute()
}

/** Adds an access token to a connection. */
export async function addAccessToken(
  trx: Kysely<Schema>,
  connectionId: string,
  token: StoredSecret,
  scope: string[],
): Promise<void> {
  const row = { token_hash: token.hash, scope: scope.join(' '), expires_at: token.expiresAt }
  await trx
    .insertInto('access_tokens')
    .values({ connection_id: connectionId, ...row })
    .execute()
}
