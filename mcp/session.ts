import type { Access } from '../oauth/connections/access.js'
import { codes, RpcError } from './json-rpc.js'

/**
 * Sessions are optional, but if a request names one, it must exist and belong to the connection. On 404,
 * clients start a new session (MCP 2025-03-26 Transports, "Session Management"; RULES X6, P10).
 * @throws RpcError 404
 */
export function requireSession(sessionId: string | undefined, access: Access): void {
  if (sessionId === undefined || access.session !== null) return
  throw new RpcError(
    codes.sessionNotFound,
    'There is no such session. Start a new one with "initialize".',
    404,
  )
}
