#!/usr/bin/env bash
# Expected: a tool result with a text and `structuredContent` (MCP 2025-06-18, which asks servers to send both) reaches
#   the model as its text, and the structured content is kept beside it (`artifact`).
# Happens: as soon as there is structured content, the message for the model is one JSON text that contains both: the text
#   as an escaped string with `\n` for line ends, and the structured content once more. The artifact has it as well.
# Version: @langchain/mcp-adapters 1.1.4 with @langchain/core 1.4.0.
# Why it matters: a result costs about twice its tokens, and a text that is laid out for reading arrives as one line.
# What to do: keep text and structured content together within the size that is meant for the model, and leave empty
#   members out (`mcp/` does; docs/clients.md has the sizes).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @modelcontextprotocol/sdk@1.32.2 @langchain/mcp-adapters@1.1.4 @langchain/core@1.4.0
cat >server.mjs <<'JS'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
const server = new McpServer({ name: 'library', version: '1.0.0' })
const content = [{ type: 'text', text: 'Ines keeps the lamp.\nOle brings oil.' }]
const structuredContent = { facts: [{ subject: 'Ines', predicate: 'keeps', object: 'lamp' }] }
server.registerTool('plain', { description: 'Answers.' }, () => ({ content }))
server.registerTool('structured', { description: 'Answers.' }, () => ({ content, structuredContent }))
await server.connect(new StdioServerTransport())
JS
cat >run.mjs <<'JS'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
const client = new MultiServerMCPClient({
  mcpServers: { library: { transport: 'stdio', command: process.execPath, args: ['server.mjs'] } },
})
const contents = {}
for (const tool of await client.getTools()) {
  const { content, artifact } = await tool.invoke({ name: tool.name, args: {}, id: '1', type: 'tool_call' })
  contents[tool.name] = content
  console.log(`${tool.name}: content ${JSON.stringify(content)}, artifact ${JSON.stringify(artifact)}`)
}
await client.close()
const both = { type: 'text', text: contents.plain, structuredContent: { facts: [{ subject: 'Ines', predicate: 'keeps', object: 'lamp' }] } }
process.exitCode = contents.structured === JSON.stringify(both) ? 0 : 1
JS
node run.mjs
