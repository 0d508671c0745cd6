// node listing-server.mjs tools.json: an MCP server on standard input and output that lists these tools.
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const tools = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'listing', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools }),
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  const result = RESULTS[method]?.(params) ?? {}
  if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}
