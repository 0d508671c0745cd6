import type { Clock } from '../../../platform/common/clock.js'
import { hashSecret, newSecret, type Random } from '../../../platform/common/secrets.js'
import type { GrantStore } from '../stores/types.js'
import type { McpSessions } from './access.js'

/** A session expires after this time without a selection. Its client then opens a new one. */
const SESSION_MS = 7 * 24 * 3_600_000

/** Session ids are secrets: they are stored hashed and are valid only with a token of the same connection. */
export function createMcpSessions(grants: GrantStore, clock: Clock, random: Random): McpSessions {
  return {
    async open(access, client) {
      const id = newSecret(random)
      const now = clock()
      const { connectionId, selectedSafeId } = access
      const session = { hash: hashSecret(id), expiresAt: now + SESSION_MS, selectedSafeId, ...client }
      await grants.openSession(connectionId, session, now)
      return id
    },

    end: (access, sessionId) => grants.endSession(access.connectionId, hashSecret(sessionId)),

    async select(access, safeId) {
      const now = clock()
      const session = access.session && {
        hash: hashSecret(access.session.id),
        expiresAt: now + SESSION_MS,
      }
      await grants.select(access.connectionId, safeId, session, now)
    },
  }
}
