#!/usr/bin/env bash
# Expected: a tool result with texts and `structuredContent` (MCP 2025-06-18) gives an agent both, or the texts: these are
#   what every client can read.
# Happens: the result of the tool is the structured content alone; all texts and other blocks are gone. Results without
#   structured content arrive as the whole MCP result. An error result is thrown with its text.
# Version: @mastra/mcp 2.0.0 with @mastra/core 1.71.0.
# Why it matters: words that are in the text only, such as “nothing here answers this”, never reach the model. Claude Code
#   and Codex do the same (docs/clients.md).
# What to do: structured content has to be complete by itself, with the verdict first (`mcp/` does).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @modelcontextprotocol/sdk@1.32.2 @mastra/mcp@2.0.0 @mastra/core@1.71.0
cat >server.mjs <<'JS'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
const server = new McpServer({ name: 'library', version: '1.0.0' })
const content = [{ type: 'text', text: 'Nothing here answers this.' }]
server.registerTool('plain', { description: 'Answers.' }, () => ({ content }))
server.registerTool('structured', { description: 'Answers.' }, () => ({ content, structuredContent: { facts: [] } }))
await server.connect(new StdioServerTransport())
JS
cat >run.mjs <<'JS'
import { MCPClient } from '@mastra/mcp'
const client = new MCPClient({ servers: { library: { command: process.execPath, args: ['server.mjs'] } } })
const results = {}
for (const [name, tool] of Object.entries(await client.listTools())) {
  results[name] = JSON.stringify(await tool.execute({}, {}))
  console.log(`${name}: ${results[name]}`)
}
await client.disconnect()
const isSame = results.library_plain.includes('Nothing here') && results.library_structured === '{"facts":[]}'
process.exitCode = isSame ? 0 : 1
JS
node run.mjs
