import type { Clock } from '../../../platform/common/clock.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { DAY_MS } from '../../../platform/common/durations.js'
import type { Random } from '../../../platform/common/secrets.js'
import { expiries, REFRESH_TOKEN_DAYS } from '../lifetime.js'
import type { TokenFormat } from '../token/token.js'
import type { Grant } from './access.js'
import { beginConnection, type Stores } from './connection.js'

/** The client of connections that a person created for a program. */
export const PROGRAM = 'cli'

export interface IssueOptions {
  /** The name in the user's list of connections. */
  clientName: string
  /** Pins the connection to the endpoint of this Safe. The caller must check that the account may read it. */
  safeId?: string
  /** Lifetime, 1 to 90. Default: one hour, like every access token (SPEC §8). */
  days?: number
  /** Overrides the default grant: user-scoped, read-only. */
  grant?: Partial<Omit<Grant, 'accountId' | 'clientId'>>
}

export interface IssuedToken {
  connectionId: string
  accessToken: string
  expiresAt: number
}

/**
 * Tokens for scripts, which cannot sign in and get no refresh token (ADR 2, `svc connection token`). Begins a connection and
 * returns its only access token.
 * @throws DomainError 400 if `days` is not a whole number from 1 to 90
 */
export function createIssueTokens(stores: Stores, format: TokenFormat, clock: Clock, random: Random) {
  return async (accountId: string, options: IssueOptions): Promise<IssuedToken> => {
    const { clientName, safeId, days, grant: overrides } = options
    if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= REFRESH_TOKEN_DAYS)) {
      throw new DomainError(400, 'invalid_days', 'The lifetime of a token must be 1 to 90 days.')
    }
    const grant: Grant = {
      accountId,
      clientId: PROGRAM,
      scope: ['vault:read'],
      resource: safeId ? `safe:${safeId}` : 'user',
      resourceSent: true,
      chosenSafeIds: safeId ? [safeId] : [],
      onlyChosenSafe: false,
      ...overrides,
    }
    const now = clock()
    const standing = 'unverified' as const
    const display = { clientName, standing, redirectHost: '', app: null, keepsQuestions: true }
    const expiresAt = days ? now + days * DAY_MS : expiries(now).access
    return beginConnection(stores, grant, display, now, random, async connectionId => {
      const { token: accessToken, hash } = format.newAccessToken(connectionId)
      await stores.grants.beginWithToken(connectionId, grant, { hash, expiresAt }, now)
      return { connectionId, accessToken, expiresAt }
    })
  }
}
