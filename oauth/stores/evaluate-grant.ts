import type { Selectable } from 'kysely'
import type { Schema } from '../../storage/schema.js'
import type { ConnectionFacts } from '../connections/access.js'
import { type NewCode, RACE_WINDOW_MS, type Redemption, type RotateOutcome, type Rotation } from './types.js'

export type Grant = Selectable<Schema['grants']>

/** Why a code may not be redeemed, or null. The order is that of the Redis script (`grant-scripts.ts`). */
export function judgeRedemption(grant: Grant, attempt: Redemption) {
  const facts: ConnectionFacts = JSON.parse(grant.facts_json)
  if (grant.code_hash !== attempt.codeHash || grant.code_json === null) return 'unknown'
  const code: Pick<NewCode, 'redirectUri' | 'challenge'> = JSON.parse(grant.code_json)
  if (facts.clientId !== attempt.clientId) return 'other-client'
  if (code.challenge !== attempt.challenge) return 'wrong-verifier'
  if (grant.code_used_at !== null) {
    return attempt.now - grant.code_used_at < RACE_WINDOW_MS ? 'used' : 'replayed'
  }
  if (grant.code_expires_at <= attempt.now) return 'expired'
  if (code.redirectUri !== attempt.redirectUri) return 'wrong-redirect-uri'
  if (attempt.resource && attempt.resource !== facts.resource) return 'wrong-resource'
  return null
}

/** What a refresh token is answered with that may not be rotated, or null. */
export function judgeRotation(grant: Grant, facts: ConnectionFacts, attempt: Rotation): RotateOutcome | null {
  if (grant.refresh_hash === null) return { outcome: 'unknown' }
  if (facts.clientId !== attempt.clientId) return { outcome: 'other-client' }
  const since = attempt.now - grant.rotated_at
  const behind = grant.refresh_generation - attempt.presented.generation
  if (behind > 0) {
    const sealed = behind === 1 && since < attempt.graceSeconds * 1000 && grant.grace_pair
    if (sealed) return askedTooMuch(facts, attempt) ?? { outcome: 'repeated', facts, sealed }
    return { outcome: since < RACE_WINDOW_MS ? 'raced' : 'reused' }
  }
  if (behind < 0 || grant.refresh_hash !== attempt.presented.hash) return { outcome: 'unknown' }
  if (grant.refresh_expires_at <= attempt.now) return { outcome: 'expired' }
  return askedTooMuch(facts, attempt)
}

function askedTooMuch(facts: ConnectionFacts, attempt: Rotation): RotateOutcome | null {
  if (attempt.resource && attempt.resource !== facts.resource) return { outcome: 'wrong-resource' }
  if (attempt.scope?.some(name => !facts.scope.includes(name))) return { outcome: 'wrong-scope' }
  return null
}
