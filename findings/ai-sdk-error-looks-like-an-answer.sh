#!/usr/bin/env bash
# Expected: a tool result with `isError: true` (MCP 2025-03-26) reaches the model as an error: Anthropic's API has
#   `is_error` for it, and AI SDK has error outputs of tools.
# Happens: the flag is dropped. The model gets the text of the error exactly as it gets an answer, and `structuredContent`
#   never arrives. For providers of chat completions the text is wrapped into a JSON list, with its line ends escaped.
# Version: ai 7.0.173, @ai-sdk/mcp 2.0.99, @ai-sdk/openai 4.0.118, @ai-sdk/anthropic 4.0.105.
# Why it matters: a model may quote “There is no such Safe” as what the library says, or not try again.
# What to do: texts of errors begin with “Error:” and say what to do (`mcp/` does); nothing is in structured content only.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @modelcontextprotocol/sdk@1.32.2 ai@7.0.173 @ai-sdk/mcp@2.0.99 \
  @ai-sdk/openai@4.0.118 @ai-sdk/anthropic@4.0.105
cat >server.mjs <<'JS'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
const server = new McpServer({ name: 'library', version: '1.0.0' })
const content = [{ type: 'text', text: 'The lamp\nis lit.' }]
server.registerTool('answer', { description: 'Answers.' }, () => ({ content, structuredContent: { keeper: 'Ines' } }))
server.registerTool('refusal', { description: 'Refuses.' }, () => ({ content, isError: true }))
await server.connect(new StdioServerTransport())
JS
cat >run.mjs <<'JS'
import { createServer } from 'node:http'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createMCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as Stdio } from '@ai-sdk/mcp/mcp-stdio'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, stepCountIs } from 'ai'
let tool = ''
let last = null
const calls = {
  '/messages': () => ({ role: 'assistant', type: 'message', content: [{ type: 'tool_use', id: 'c1', name: tool, input: {} }], stop_reason: 'tool_use', usage: { input_tokens: 1, output_tokens: 1 } }),
  '/chat/completions': () => ({ object: 'chat.completion', choices: [{ index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: tool, arguments: '{}' } }] } }] }),
}
const ends = {
  '/messages': { role: 'assistant', type: 'message', content: [{ type: 'text', text: 'ok' }], stop_reason: 'end_turn', usage: { input_tokens: 1, output_tokens: 1 } },
  '/chat/completions': { object: 'chat.completion', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'ok' } }] },
}
const provider = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  const { messages } = JSON.parse(text)
  last = messages.at(-1)
  const body = messages.length > 1 ? ends[request.url] : calls[request.url]()
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: '1', model: 'm', created: 1, ...body }))
})
await new Promise(resolve => provider.listen(0, '127.0.0.1', resolve))
const baseURL = `http://127.0.0.1:${provider.address().port}`
const models = {
  openai: createOpenAI({ baseURL, apiKey: 'x' }).chat('gpt-4o'),
  anthropic: createAnthropic({ baseURL, apiKey: 'x' })('claude-sonnet-4-5'),
}
const client = await createMCPClient({ transport: new Stdio({ command: process.execPath, args: ['server.mjs'] }) })
const tools = await client.tools()
let isSame = true
for (const [name, model] of Object.entries(models)) {
  const seen = []
  for (tool of ['answer', 'refusal']) {
    await generateText({ model, tools, prompt: 'Is it lit?', stopWhen: stepCountIs(3) })
    seen.push(JSON.stringify(last))
    console.log(`${name}, ${tool}: ${seen.at(-1)}`)
  }
  isSame &&= seen[0] === seen[1] && seen[0].includes('is lit') && !seen[0].includes('Ines')
}
await client.close()
provider.close()
process.exitCode = isSame ? 0 : 1
JS
node run.mjs
