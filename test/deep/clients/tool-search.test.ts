import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { dataDir } from '../../data-dir.js'
import { openTestEndpoint } from '../../unit/mcp/domain.js'
import { OTHERS, PHRASES } from '../../unit/mcp/phrases.js'
import { claudeCode } from './assistants/claude-code.js'
import { codex } from './assistants/codex.js'
import { type Dialect, startModel } from './assistants/scripted-model.js'

const SERVER = fileURLToPath(new URL('assistants/listing-server.mjs', import.meta.url))
/** Tools that a search returns. */
const FOUND = 3

/**
 * In Claude Code a word of a name counts most, so that this phrase finds three tools named "list", ours first. It is
 * offered svc without a search (`anthropic/alwaysLoad`).
 */
const FINDS_LIST = 'list people'

/** A program that searches the tools of its servers, as a model asks it to. */
interface Searcher {
  dialect: Dialect
  /** The name of its tool for that. */
  tool: string
  /** The arguments of a search. */
  search(query: string): object
  /** Writes its settings into a new home. Returns its environment. */
  configure(home: string, servers: Servers, modelUrl: string): Record<string, string>
  command: string[]
}

/** The commands that start MCP servers, by name. */
type Servers = Record<string, string[]>

/** A message of the Messages API. */
interface Message {
  content: string | { type: string; content: { tool_name?: string }[] }[]
}

const inClaudeCode: Searcher = {
  tool: 'ToolSearch',
  search: query => ({ query, max_results: FOUND }),
  dialect: {
    ...claudeCode.dialect,
    read: ({ tools, messages }: { tools: { name: string }[]; messages: Message[] }) => ({
      tools: tools.map(({ name }) => ({ name: `_${name}`, description: '', schema: {} })),
      results: messages
        .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
        .filter(({ type }) => type === 'tool_result')
        .map(({ content }) => JSON.stringify(content.map(({ tool_name }) => tool_name))),
    }),
    call: (name, args) => claudeCode.dialect.call(name.slice(1), args),
  },
  configure(home, servers, modelUrl) {
    const env = claudeCode.configure(home, '', modelUrl)
    const mcpServers = Object.fromEntries(
      Object.entries(servers).map(([name, [command, ...args]]) => [name, { type: 'stdio', command, args }]),
    )
    writeFileSync(`${home}/.claude.json`, JSON.stringify({ mcpServers, hasCompletedOnboarding: true }))
    return env
  },
  command: claudeCode.ask('Search.').command,
}

/** An item of the Responses API. */
interface Item {
  type: string
  tools?: { name: string; tools?: { name: string }[] }[]
}

const inCodex: Searcher = {
  tool: 'tool_search',
  search: query => ({ query, limit: FOUND }),
  dialect: {
    ...codex.dialect,
    read: ({ tools, input }: { tools: { type: string }[]; input: Item[] }) => ({
      tools: tools.map(({ type }) => ({ name: `_${type}`, description: '', schema: {} })),
      results: input
        .filter(({ type }) => type === 'tool_search_output')
        .map(({ tools = [] }) =>
          JSON.stringify(
            tools.flatMap(({ name, tools }) => tools?.map(tool => `${name}__${tool.name}`) ?? name),
          ),
        ),
    }),
    call: (_, args) => [
      { type: 'response.created', response: { id: 'resp_1' } },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: {
          type: 'tool_search_call',
          call_id: `call_${crypto.randomUUID()}`,
          execution: 'client',
          arguments: args,
        },
      },
      {
        type: 'response.completed',
        response: { id: 'resp_1', usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } },
      },
    ],
  },
  configure(home, servers, modelUrl) {
    codex.configure(home, '', modelUrl)
    const tables = Object.entries(servers).map(
      ([name, [command, ...args]]) =>
        `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
    )
    writeFileSync(
      `${home}/.codex/config.toml`,
      // A model that it knows: it searches the tools only for those.
      `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "read-only"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${modelUrl}"
wire_api = "responses"
${tables.join('')}`,
    )
    return {}
  },
  command: codex.ask('Search.').command,
}

interface Listed {
  _meta?: Record<string, unknown>
}

/** Servers with our tools, as if they were not offered at once, and with those of others. */
async function startable(t: Test): Promise<Servers> {
  const { post } = openTestEndpoint(t, { ann: ['a'] })
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const { tools } = (await post(list, { protocolVersion: '2025-11-25' })).body.result
  const safes = tools.map(({ _meta = {}, ...tool }: Listed) => {
    const { 'anthropic/alwaysLoad': _, ...meta } = _meta
    return { ...tool, _meta: meta }
  })
  const inputSchema = { type: 'object', properties: { path: { type: 'string' } } }
  const others = OTHERS.map(([name, description]) => ({ name, description, inputSchema }))
  const folder = dataDir(t)
  return Object.fromEntries(
    Object.entries({ safes, others }).map(([name, listed]) => {
      writeFileSync(`${folder}/${name}.json`, JSON.stringify(listed))
      return [name, [process.execPath, SERVER, `${folder}/${name}.json`]]
    }),
  )
}

for (const [name, searcher] of Object.entries({ 'Claude Code': inClaudeCode, Codex: inCodex }))
  t.test(`R8 the search of ${name} finds svc among the first three for what people say`, async t => {
    const model = await startModel(t, searcher.dialect)
    model.script = PHRASES.map(phrase => [searcher.tool, searcher.search(phrase) as Record<string, unknown>])
    const home = dataDir(t)
    mkdirSync(`${home}/work`)
    const env = searcher.configure(home, await startable(t), model.url)
    const [program = '', ...args] = searcher.command
    const child = spawn(program, args, {
      cwd: `${home}/work`,
      env: { HOME: home, PATH: process.env.PATH, TERM: 'xterm-256color', ...env },
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    t.teardown(() => child.kill())
    await new Promise(resolve => child.on('close', resolve))
    const { results = [] } = model.turns.at(-1) ?? {}
    t.equal(results.length, PHRASES.length)
    for (const [at, phrase] of PHRASES.entries()) {
      const found: string[] = JSON.parse(results[at] ?? '[]')
      const wanted = searcher === inClaudeCode && phrase === FINDS_LIST ? /svc_list_safes$/ : /safes__?svc$/
      t.ok(found.length <= FOUND && found.some(tool => wanted.test(tool)), phrase, { found })
    }
  })
