import type { Clock } from '../../../platform/common/clock.js'
import { hashSecret } from '../../../platform/common/secrets.js'
import type { Access } from '../connections/access.js'
import type { GrantStore } from '../stores/types.js'
import type { TokenFormat } from './token.js'

const SESSION_ID = /^[0-9A-Za-z]{43}$/

/**
 * Authenticates a bearer token and an `Mcp-Session-Id` in one round trip. Returns null if the token is
 * malformed, unknown, expired or revoked. `session` is null unless it is an active session of the token's
 * connection.
 */
type Authenticate = (token: string, sessionId: string | null) => Promise<Access | null>

/** Finds the access of a bearer token and a session id; null for invalid ones. */
export function createAuthenticate(grants: GrantStore, format: TokenFormat, clock: Clock): Authenticate {
  return async (token, sessionId) => {
    const presented = format.readAccessToken(token)
    if (!presented) return null
    const sessionHash = sessionId && SESSION_ID.test(sessionId) ? hashSecret(sessionId) : null
    const { connectionId, hash } = presented
    const found = await grants.findAccess(connectionId, hash, sessionHash, clock())
    if (!found) return null
    const { grant, selectedSafeId } = found
    // A token issued before its connection was narrowed has only the current access of the connection.
    const tokenScope = found.tokenScope.filter(name => grant.scope.includes(name))
    const session = found.session && sessionId ? { id: sessionId, ...found.session } : null
    // The object belongs to this request, so it can be extended in place. A copy would take 5 µs.
    return Object.assign(grant, { connectionId, tokenScope, selectedSafeId, session })
  }
}
