import type { Selectable } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import type { Grant } from '../connections/access.js'
import { readGrant } from './stored-grant.js'
import { type NewCode, RACE_WINDOW_MS, type Redemption, type RotateOutcome, type Rotation } from './types.js'

export type GrantRow = Selectable<Schema['grants']>

/** Why a code cannot be redeemed, or null. Checks run in the same order as in the Redis script (`grant-scripts.ts`). */
export function evaluateRedemption(row: GrantRow, attempt: Redemption) {
  const grant = readGrant(row.facts_json)
  if (row.code_hash !== attempt.codeHash || row.code_json === null) return 'unknown'
  const code: Pick<NewCode, 'redirectUri' | 'challenge'> = JSON.parse(row.code_json)
  if (grant.clientId !== attempt.clientId) return 'other-client'
  if (code.challenge !== attempt.challenge) return 'wrong-verifier'
  if (row.code_used_at !== null) {
    return attempt.now - row.code_used_at < RACE_WINDOW_MS ? 'used' : 'replayed'
  }
  if (row.code_expires_at <= attempt.now) return 'expired'
  if (attempt.redirectUri !== null && code.redirectUri !== attempt.redirectUri) return 'wrong-redirect-uri'
  if (attempt.resource && attempt.resource !== grant.resource) return 'wrong-resource'
  return null
}

/** The outcome for a refresh token that cannot be rotated, or null. */
export function evaluateRotation(row: GrantRow, grant: Grant, attempt: Rotation): RotateOutcome | null {
  if (row.refresh_hash === null) return { outcome: 'unknown' }
  if (grant.clientId !== attempt.clientId) return { outcome: 'other-client' }
  const since = attempt.now - row.rotated_at
  const behind = row.refresh_generation - attempt.presented.generation
  if (behind > 0) {
    const sealed = behind === 1 && since < attempt.graceSeconds * 1000 && row.grace_pair
    if (sealed) return exceedsGrant(grant, attempt) ?? { outcome: 'repeated', grant, sealed }
    return { outcome: since < RACE_WINDOW_MS ? 'raced' : 'reused' }
  }
  if (behind < 0 || row.refresh_hash !== attempt.presented.hash) return { outcome: 'unknown' }
  if (row.refresh_expires_at <= attempt.now) return { outcome: 'expired' }
  return exceedsGrant(grant, attempt)
}

/** Whether a refresh requests more than was granted. */
function exceedsGrant(grant: Grant, attempt: Rotation): RotateOutcome | null {
  if (attempt.resource && attempt.resource !== grant.resource) return { outcome: 'wrong-resource' }
  if (!attempt.scope || attempt.scope.length === 0) return null
  const { scope, withdrawnScope = [] } = grant
  const isGranted = attempt.scope.every(name => scope.includes(name) || withdrawnScope.includes(name))
  return isGranted && attempt.scope.some(name => scope.includes(name)) ? null : { outcome: 'wrong-scope' }
}
