import { mkdirSync, writeFileSync } from 'node:fs'
import { programOf } from '../programs.js'
import type { Assistant } from './assistant.js'
import type { Dialect } from './scripted-model.js'

const codexProgram = () => [process.execPath, programOf('@openai/codex', 'codex')]

/** The Responses API: https://platform.openai.com/docs/api-reference/responses-streaming */
const dialect: Dialect = {
  path: /\/responses$/,
  read: ({ tools, input }: ResponsesRequest) => ({
    tools: tools.flatMap(namespace =>
      (namespace.tools ?? []).map(({ name, description, parameters }) => ({
        name: `${namespace.name}__${name}`,
        description,
        schema: parameters,
      })),
    ),
    results: input.filter(item => item.type === 'function_call_output').map(item => textOf(item.output)),
  }),
  call(tool, args) {
    const end = tool.lastIndexOf('__')
    const called = {
      namespace: tool.slice(0, end),
      name: tool.slice(end + 2),
      arguments: JSON.stringify(args),
    }
    return reply({ type: 'function_call', call_id: `call_${crypto.randomUUID()}`, ...called })
  },
  say: text => reply({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }),
}

/** Codex puts the tools of an MCP server into a namespace. */
interface ResponsesRequest {
  tools: { name: string; tools?: { name: string; description: string; parameters: object }[] }[]
  input: { type: string; output: string | { text: string }[] }[]
}

function textOf(output: string | { text: string }[]): string {
  return typeof output === 'string' ? output : output.map(part => part.text).join('\n')
}

function reply(item: object): object[] {
  const response = { id: 'resp_1', usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } }
  return [
    { type: 'response.created', response: { id: 'resp_1' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ]
}

export const codex: Assistant = {
  name: 'Codex',
  dialect,
  shows: 'structuredContent',
  tokenFile: '.codex/.credentials.json',
  refreshes: 'under a lock',
  configure(home, mcpUrl, modelUrl) {
    mkdirSync(`${home}/.codex`)
    writeFileSync(
      `${home}/.codex/config.toml`,
      `
      model = "scripted"
      model_provider = "scripted"
      approval_policy = "never"
      sandbox_mode = "read-only"
      check_for_update_on_startup = false
      mcp_oauth_credentials_store = "file"
      [analytics]
      enabled = false
      [model_providers.scripted]
      name = "scripted"
      base_url = "${modelUrl}"
      wire_api = "responses"
      [mcp_servers.safes]
      url = "${mcpUrl}"
      `,
    )
    return {}
  },
  signIn: () => ({ command: [...codexProgram(), 'mcp', 'login', 'safes'] }),
  ask: prompt => ({ command: [...codexProgram(), 'exec', '--skip-git-repo-check', prompt] }),
}
