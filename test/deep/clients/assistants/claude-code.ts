import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Assistant } from './assistant.js'
import type { Dialect } from './scripted-model.js'

/** The binary inside the package of this platform: linking it as `claude` takes an install script. */
const program = () => {
  const name = `@anthropic-ai/claude-code-${process.platform}-${process.arch}`
  return fileURLToPath(new URL(`../node_modules/${name}/claude`, import.meta.url))
}

/** The Messages API: https://docs.anthropic.com/en/api/messages-streaming */
const dialect: Dialect = {
  path: /\/v1\/messages$/,
  read: ({ tools, messages }: MessagesRequest) => ({
    tools: tools.map(({ name, description, input_schema }) => ({ name, description, schema: input_schema })),
    results: messages
      .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
      .filter(part => part.type === 'tool_result')
      .map(part => textOf(part.content))
      .filter(text => text !== LOADED),
  }),
  call: (name, args) =>
    reply(
      { type: 'tool_use', id: `toolu_${crypto.randomUUID()}`, name, input: {} },
      { type: 'input_json_delta', partial_json: JSON.stringify(args) },
      'tool_use',
    ),
  say: text => reply({ type: 'text', text: '' }, { type: 'text_delta', text }, 'end_turn'),
  // The model is told the names of our tools and has to look the tools up before it calls them.
  load: tool => ['ToolSearch', { query: `select:mcp__safes__${tool}`, max_results: 5 }],
}

const LOADED = 'tool_reference'

interface MessagesRequest {
  tools: { name: string; description: string; input_schema: object }[]
  messages: { content: string | { type: string; content: string | { type: string; text?: string }[] }[] }[]
}

function textOf(content: string | { type: string; text?: string }[]): string {
  return typeof content === 'string' ? content : content.map(({ type, text }) => text ?? type).join('\n')
}

function reply(content_block: object, delta: object, stop_reason: string): object[] {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'scripted', content: [] }
  return [
    { type: 'message_start', message: { ...message, usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ]
}

export const claudeCode: Assistant = {
  name: 'Claude Code',
  dialect,
  shows: 'structuredContent',
  reads: { max_tokens: 20_000 },
  tokenFile: '.claude/.credentials.json',
  refreshes: 'under a lock',
  configure(home, mcpUrl, modelUrl) {
    const mcpServers = { safes: { type: 'http', url: mcpUrl } }
    writeFileSync(`${home}/.claude.json`, JSON.stringify({ mcpServers, hasCompletedOnboarding: true }))
    return {
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }
  },
  // It insists on a terminal, which `script` is.
  signIn: () => ({ command: ['script', '-qec', `'${program()}' mcp login safes`, '/dev/null'] }),
  ask: prompt => ({ command: [program(), '-p', prompt, '--allowedTools', 'mcp__safes'] }),
}
