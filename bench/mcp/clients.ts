import { requestText } from '../load/connection.js'
import { type Client, Refused } from '../load/rounds.js'

const REVISION = '2025-03-26'

export interface McpServer {
  path: string
  accessToken: string
  /** Whether it needs a session. */
  session?: true
}

export function rpc(method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
}

/** Sends the same request repeatedly. All answers must be equal, byte for byte. */
export function mcpClient(server: McpServer, body: string, expected: string): Client {
  let request = ''
  return async connection => {
    request ||= requestText(`POST ${server.path}`, await headersFor(server, connection), body)
    const answer = await connection.send(request)
    if (answer.status === 503) throw new Refused(answer.body)
    if (answer.status !== 200 || answer.body !== expected) {
      throw new Error(`${answer.head.split('\r\n')[0]} ${answer.body.slice(0, 300)}`)
    }
  }
}

/** The headers of a request, in a session if one is needed. */
export async function headersFor(
  { path, accessToken, session }: McpServer,
  connection: Parameters<Client>[0],
): Promise<Record<string, string>> {
  const headers = {
    Authorization: `Bearer ${accessToken}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': REVISION,
  }
  if (!session) return headers
  const clientInfo = { name: 'bench', version: '1' }
  const params = { protocolVersion: REVISION, capabilities: {}, clientInfo }
  const { head } = await connection.send(requestText(`POST ${path}`, headers, rpc('initialize', params)))
  const [, id = ''] = /mcp-session-id: (\S+)/i.exec(head) ?? []
  return { ...headers, 'Mcp-Session-Id': id }
}
