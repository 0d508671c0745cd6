import type { Selectable } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import type { Grant } from '../connections/access.js'
import {
  type NewCode,
  RACE_WINDOW_MS,
  type RedeemOutcome,
  type Redemption,
  type Repeated,
  type RepeatWindow,
  type RotateOutcome,
  type Rotation,
} from './types.js'

export type GrantRow = Selectable<Schema['grants']>

/** The outcome for a code that cannot be redeemed, or null. Checks run in the same order as in the Redis script (`grant-scripts.ts`). */
export function evaluateRedemption(row: GrantRow, grant: Grant, attempt: Redemption): RedeemOutcome | null {
  if (row.code_hash !== attempt.codeHash || row.code_json === null) return { outcome: 'unknown' }
  const code: Pick<NewCode, 'redirectUri' | 'challenge'> = JSON.parse(row.code_json)
  if (grant.clientId !== attempt.clientId) return { outcome: 'other-client' }
  if (code.challenge !== attempt.challenge) return { outcome: 'wrong-verifier' }
  if (row.code_used_at !== null) {
    const since = attempt.now - row.code_used_at
    const repeated = row.refresh_generation === 1 ? repeatedOf(row, grant, since, attempt.repeat) : null
    return repeated ?? { outcome: since < RACE_WINDOW_MS ? 'used' : 'replayed' }
  }
  if (row.code_expires_at <= attempt.now) return { outcome: 'expired' }
  if (attempt.redirectUri !== null && code.redirectUri !== attempt.redirectUri)
    return { outcome: 'wrong-redirect-uri' }
  if (attempt.resource && attempt.resource !== grant.resource) return { outcome: 'wrong-resource' }
  return null
}

/** The value of `grace_pair`: how to derive a pair again. Other forms are of earlier versions and not repeated. */
export const seedColumn = (seed: string, scope: readonly string[]) => [seed, ...scope].join(',')

function repeatedOf(row: GrantRow, grant: Grant, since: number, { fromMs, untilMs }: RepeatWindow) {
  const [seed = '', ...scope] = row.grace_pair?.split(',') ?? []
  if (scope.length === 0 || since < fromMs || since >= untilMs) return null
  return { outcome: 'repeated', grant, seed, scope, issuedAt: row.rotated_at } satisfies Repeated
}

/** The outcome for a refresh token that cannot be rotated, or null. */
export function evaluateRotation(row: GrantRow, grant: Grant, attempt: Rotation): RotateOutcome | null {
  if (row.refresh_hash === null) return { outcome: 'unknown' }
  if (grant.clientId !== attempt.clientId) return { outcome: 'other-client' }
  const since = attempt.now - row.rotated_at
  const behind = row.refresh_generation - attempt.presented.generation
  if (behind > 0) {
    const repeated = behind === 1 ? repeatedOf(row, grant, since, attempt.repeat) : null
    if (repeated) return exceedsGrant(grant, attempt) ?? repeated
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
