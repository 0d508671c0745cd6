import type { Clock } from '../../common/clock.js'
import { hashSecret } from '../../common/secrets.js'
import type { Access } from '../connections/access.js'
import type { GrantStore } from '../stores/types.js'
import type { TokenFormat } from './token.js'

const SESSION_ID = /^[0-9A-Za-z]{43}$/

/**
 * What a bearer token and an `Mcp-Session-Id` prove, in one round trip. Null when the token is malformed, unknown,
 * expired or revoked; `session` is null when it is not a living session of the token's own connection.
 */
export type Authenticate = (token: string, sessionId: string | null) => Promise<Access | null>

export function createAuthenticate(grants: GrantStore, format: TokenFormat, clock: Clock): Authenticate {
  return async (token, sessionId) => {
    const presented = format.readAccessToken(token)
    if (!presented) return null
    const sessionHash = sessionId && SESSION_ID.test(sessionId) ? hashSecret(sessionId) : null
    const { connectionId, hash } = presented
    const found = await grants.findAccess(connectionId, hash, sessionHash, clock())
    if (!found) return null
    const { grant, tokenScope, selectedSafeId } = found
    const session = found.session && sessionId ? { id: sessionId, ...found.session } : null
    // Written into what was read for this request alone: a copy by spreading takes 5 µs.
    return Object.assign(grant, { connectionId, tokenScope, selectedSafeId, session })
  }
}
