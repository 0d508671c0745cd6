import type { Access } from '../oauth/connections/access.js'
import { codes, RpcError } from './json-rpc.js'

/**
 * Sessions are optional for clients, but one that is named has to be there and to belong to this connection;
 * a client told 404 starts a new one (MCP 2025-03-26 Transports, "Session Management"; RULES X6, P10).
 * @throws RpcError 404
 */
export function requireSession(named: string | undefined, access: Access): void {
  if (named === undefined || access.session !== null) return
  throw new RpcError(
    codes.sessionNotFound,
    'There is no such session. Start a new one with "initialize".',
    404,
  )
}
