/** Asks a Safe over MCP. @returns the status of the answer; 500 also when it came as 200 and was none */
export async function ask(url: string, token: string, query: string, ms: number): Promise<number> {
  const params = { name: 'svc', arguments: { query, max_tokens: 500 } }
  const response = await fetch(`${url}/mcp/v1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    signal: AbortSignal.timeout(ms),
  })
  const { result } = (await response.json()) as { result?: { isError?: boolean } }
  if (response.status !== 200) return response.status
  return result && !result.isError ? 200 : 500
}
