#!/usr/bin/env bash
# Expected: a tool result with a text and a `resource_link` (MCP 2025-06-18) reaches the model as its text, with or
#   without the link.
# Happens: the adapter turns the link into a `file` block with `source_type: "url"`, and the model classes of OpenAI and
#   Anthropic throw while they convert the message: nothing is sent, and the run of the agent ends. Google's class sends
#   the link as a file that the provider should fetch.
# Version: @langchain/mcp-adapters 1.1.4, core 1.4.0, openai 1.6.0, anthropic 1.5.11, google-genai 2.3.2.
# Why it matters: one optional block in a valid result stops an agent, and the error names neither the tool nor MCP.
# What to do: servers name sources in the text, and send resource links only to clients known to read them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @modelcontextprotocol/sdk@1.32.2 @langchain/mcp-adapters@1.1.4 \
  @langchain/core@1.4.0 @langchain/openai@1.6.0 @langchain/anthropic@1.5.11 @langchain/google-genai@2.3.2
cat >server.mjs <<'JS'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
const server = new McpServer({ name: 'library', version: '1.0.0' })
const text = { type: 'text', text: 'Ines keeps the lamp.' }
const link = { type: 'resource_link', uri: 'https://example.com/lamp', name: 'lamp', mimeType: 'text/plain' }
server.registerTool('plain', { description: 'Answers.' }, () => ({ content: [text] }))
server.registerTool('linked', { description: 'Answers.' }, () => ({ content: [text, link] }))
await server.connect(new StdioServerTransport())
JS
cat >run.mjs <<'JS'
import { createServer } from 'node:http'
import { ChatAnthropic } from '@langchain/anthropic'
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import { ChatGoogleGenerativeAI } from '@langchain/google-genai'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { ChatOpenAI } from '@langchain/openai'
console.warn = () => {}
let isSent = false
const provider = createServer((request, response) => {
  isSent = true
  request.resume().on('end', () => response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{}}'))
})
await new Promise(resolve => provider.listen(0, '127.0.0.1', resolve))
const address = `http://127.0.0.1:${provider.address().port}`
const models = {
  openai: new ChatOpenAI({ apiKey: 'x', model: 'gpt-4o', maxRetries: 0, configuration: { baseURL: address } }),
  anthropic: new ChatAnthropic({ apiKey: 'x', model: 'claude-sonnet-4-5', maxRetries: 0, anthropicApiUrl: address }),
  google: new ChatGoogleGenerativeAI({ apiKey: 'x', model: 'gemini-2.5-pro', maxRetries: 0, baseUrl: address }),
}
const client = new MultiServerMCPClient({
  mcpServers: { library: { transport: 'stdio', command: process.execPath, args: ['server.mjs'] } },
})
const found = []
for (const tool of await client.getTools())
  for (const [name, model] of Object.entries(models)) {
    const call = { name: tool.name, args: {}, id: 'call1', type: 'tool_call' }
    const messages = [new HumanMessage('Who keeps the lamp?'), new AIMessage({ content: '', tool_calls: [call] })]
    messages.push(await tool.invoke(call))
    isSent = false
    const error = await model.invoke(messages).catch(error => error)
    console.log(`${tool.name}, ${name}: ${isSent ? 'sent' : `not sent: ${error.message}`}`)
    if (!isSent) found.push(`${tool.name} ${name}`)
  }
await client.close()
provider.close()
process.exitCode = found.join() === 'linked openai,linked anthropic' ? 0 : 1
JS
node run.mjs
