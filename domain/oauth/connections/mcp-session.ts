import type { Clock } from '../../../platform/common/clock.js'
import { hashSecret, newSecret, type Random } from '../../../platform/common/secrets.js'
import type { GrantStore } from '../stores/types.js'
import type { Access, McpSession } from './access.js'

/** A session expires after this time without a selection. Its client then opens a new one. */
const SESSION_MS = 7 * 24 * 3_600_000

/** MCP sessions and their selected Safes. */
export type McpSessions = ReturnType<typeof createMcpSessions>

/** Session ids are secrets: they are stored hashed and are valid only with a token of the same connection. */
export function createMcpSessions(grants: GrantStore, clock: Clock, random: Random) {
  const named = (id: string, now: number) => ({ hash: hashSecret(id), expiresAt: now + SESSION_MS })
  return {
    /** Opens a session with the connection's selection. Returns its id (`Mcp-Session-Id`). */
    async open(
      { connectionId, selectedSafeId }: Access,
      client: Pick<McpSession, 'protocolVersion' | 'showsApps'>,
    ): Promise<string> {
      const id = newSecret(random)
      const now = clock()
      await grants.openSession(connectionId, { ...named(id, now), selectedSafeId, ...client }, now)
      return id
    },

    end: ({ connectionId }: Access, sessionId: string): Promise<void> =>
      grants.endSession(connectionId, hashSecret(sessionId)),

    /** Sets the selection of the session (if any) and of the connection (DESIGN §5.3). */
    async select({ connectionId, session }: Access, safeId: string): Promise<void> {
      const now = clock()
      await grants.select(connectionId, safeId, session && named(session.id, now), now)
    },
  }
}
