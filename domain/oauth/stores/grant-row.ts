import type { Db } from '../../../platform/storage/schema.js'
import { tables } from '../../../platform/storage/where.js'
import { type Grant, startingSafe } from '../connections/access.js'
import type { GrantRow } from './evaluate-grant.js'
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
export function findGrantRow(trx: Db, connectionId: string): Promise<GrantRow | undefined> {
  return tables.find(trx, 'grants', { connection_id: connectionId })
}

/** Removes a grant with its access tokens and sessions. */
export async function endGrant(trx: Db, connectionId: string): Promise<void> {
  await tables.remove(trx, 'grants', { connection_id: connectionId })
  await tables.remove(trx, 'access_tokens', { connection_id: connectionId })
  await tables.remove(trx, 'mcp_sessions', { connection_id: connectionId })
}

/** Adds an access token to a connection. */
export async function addAccessToken(
  trx: Db,
  connectionId: string,
  token: StoredSecret,
  scope: string[],
): Promise<void> {
  const row = { token_hash: token.hash, scope: scope.join(' '), expires_at: token.expiresAt }
  await tables.insert(trx, 'access_tokens', { connection_id: connectionId, ...row })
}

/**
 * A grant as JSON. `chosenSafeId` is for processes of earlier versions, which support a single Safe: one that reads
 * a connection limited to several Safes then allows the first one only, never all.
 */
export function writeGrant(grant: Grant): string {
  return JSON.stringify({ ...grant, chosenSafeId: grant.chosenSafeIds[0] ?? null })
}

/** Reads a grant, also of a version without `chosenSafeIds`. */
export function readGrant(json: string): Grant {
  const { chosenSafeId = null, ...grant } = JSON.parse(json)
  // Extended in place, because this runs for every MCP request.
  grant.chosenSafeIds ??= chosenSafeId === null ? [] : [chosenSafeId]
  return grant
}
