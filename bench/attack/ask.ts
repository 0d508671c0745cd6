/** What a question over MCP got. */
export interface Asked {
  /** 500 also when the answer came as 200 and was none. */
  status: number
  text: string
}

/** Asks the Safe that a token is for. @throws when there is no answer within so many milliseconds */
export async function ask(url: string, token: string, query: string, ms: number): Promise<Asked> {
  const params = { name: 'svc', arguments: { query, max_tokens: 500 } }
  const response = await fetch(`${url}/mcp/v1`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    signal: AbortSignal.timeout(ms),
  })
  const { result } = (await response.json()) as {
    result?: { isError?: boolean; content: { text: string }[] }
  }
  const text = result?.content.map(({ text }) => text).join('\n') ?? ''
  const isAnswered = response.status !== 200 || (result && !result.isError)
  return { status: isAnswered ? response.status : 500, text }
}
