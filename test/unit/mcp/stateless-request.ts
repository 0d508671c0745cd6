import { rpc } from './domain.js'

export const REVISION = '2026-07-28'
export const VERSION = 'io.modelcontextprotocol/protocolVersion'
export const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
export const CLIENT = 'io.modelcontextprotocol/clientInfo'
export const SERVER = 'io.modelcontextprotocol/serverInfo'

/** The members of every request of MCP 2026-07-28. */
export const META = {
  [VERSION]: REVISION,
  [CAPABILITIES]: {},
  [CLIENT]: { name: 'test', version: '1' },
}

/** A request of MCP 2026-07-28. */
export const stateless = (
  method: string,
  params: Record<string, unknown> = {},
  id: unknown = 1,
  capabilities: object = {},
) => rpc(id, method, { ...params, _meta: { ...META, [CAPABILITIES]: capabilities } })

/** The headers that such a request needs. */
export function mirrored(method: string, name?: string): Record<string, string> {
  const headers = { 'mcp-protocol-version': REVISION, 'mcp-method': method }
  return name === undefined ? headers : { ...headers, 'mcp-name': name }
}
