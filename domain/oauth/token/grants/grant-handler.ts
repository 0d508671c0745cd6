import type { Clock } from '../../../../platform/common/clock.js'
import { newId, type Random } from '../../../../platform/common/secrets.js'
import type { RecordActivity } from '../../../activity/entry.js'
import { ACCESS_TOKEN_SECONDS, expiries } from '../../lifetime.js'
import type { Parameters } from '../../parameters.js'
import type { ConnectionStore } from '../../stores/connection.sql.js'
import type { GrantStore, Repeated } from '../../stores/types.js'
import type { TokenAnswers } from '../answers.js'
import { pairFor, type Replaced, type TokenFormat } from '../token.js'

export interface GrantHandlerDependencies {
  connections: ConnectionStore
  record: RecordActivity
  grants: GrantStore
  answers: TokenAnswers
  format: TokenFormat
  baseUrl: string
  clock: Clock
  random: Random
}

/** SPEC §2, token response. */
export interface TokenResponse {
  access_token: string
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
  refresh_token: string
  /** Space-separated. */
  scope: string
}

/** One `grant_type` of the token endpoint. @throws OAuthError */
export type GrantHandler = (clientId: string, parameters: Parameters) => Promise<TokenResponse>

/** A code or refresh token that is being replaced, and the time of the request. */
type Presented = Replaced & { hash: string; now: number }

type PairDependencies = Pick<GrantHandlerDependencies, 'answers' | 'format' | 'random'>

/** A pair for a code or refresh token, and its members of a `Redemption` or `Rotation`. */
export function newPair({ answers, format, random }: PairDependencies, presented: Presented) {
  const seed = newId(random)
  const pair = pairFor(format, presented, seed)
  const { access, refresh } = expiries(presented.now)
  const stored = {
    access: { hash: pair.access.hash, expiresAt: access },
    refresh: { hash: pair.refresh.hash, expiresAt: refresh },
    seed,
    repeat: answers.windowFor(presented.hash),
  }
  return { pair, stored }
}

/** The successful response (RFC 6749 §5.1) with a pair that was issued at `issuedAt`. Records that it is answered. */
export function answerWith(
  { answers }: PairDependencies,
  { hash, connectionId, generation, now }: Presented,
  { access, refresh }: ReturnType<typeof pairFor>,
  scope: readonly string[],
  issuedAt = now,
): TokenResponse {
  answers.answered(hash, { connectionId, refreshHash: refresh.hash, generation, at: now })
  return {
    access_token: access.token,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS - Math.floor((now - issuedAt) / 1000),
    refresh_token: refresh.token,
    scope: scope.join(' '),
  }
}

/** The response to a request whose code or refresh token was consumed before: the tokens of the earlier request. */
export function repeatAnswer(
  dependencies: PairDependencies,
  presented: Presented,
  { seed, scope, grant, issuedAt }: Repeated,
): TokenResponse {
  const current = scope.filter(name => grant.scope.includes(name))
  return answerWith(dependencies, presented, pairFor(dependencies.format, presented, seed), current, issuedAt)
}
