import { mkdirSync, writeFileSync } from 'node:fs'
import { programOf } from '../programs.js'
import type { Assistant } from './assistant.js'
import type { Dialect } from './scripted-model.js'

/** streamGenerateContent: https://ai.google.dev/api/generate-content */
const dialect: Dialect = {
  path: /:streamGenerateContent$/,
  read: ({ tools, contents }: GenerateContentRequest) => ({
    tools: tools
      .flatMap(({ functionDeclarations }) => functionDeclarations)
      .map(({ name, description, parametersJsonSchema }) => ({
        name,
        description,
        schema: parametersJsonSchema,
      })),
    results: contents
      .flatMap(({ parts }) => parts)
      .flatMap(({ functionResponse }) => functionResponse ?? [])
      .map(({ response }) => response.output ?? response.error ?? ''),
  }),
  call: (name, args) => reply({ functionCall: { name, args } }),
  say: text => reply({ text }),
}

interface GenerateContentRequest {
  tools: { functionDeclarations: { name: string; description: string; parametersJsonSchema: object }[] }[]
  contents: { parts: { functionResponse?: { response: { output?: string; error?: string } } }[] }[]
}

function reply(part: object): object[] {
  return [
    {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    },
  ]
}

const ask = (prompt: string) => [
  process.execPath,
  programOf('@google/gemini-cli', 'gemini'),
  ...['--skip-trust', '--model', 'gemini-2.5-flash', '--prompt', prompt],
]

export const geminiCli: Assistant = {
  name: 'Gemini CLI MCP Client',
  dialect,
  shows: 'text',
  reads: { max_tokens: 20_000 },
  tokenFile: '.gemini/mcp-oauth-tokens.json',
  refreshes: 'without a lock',
  adds: { wait_for_previous: true },
  keepsRefusedTokens: true,
  // A process whose refresh is refused deletes the tokens of all.
  settings: { REFRESH_REUSE_GRACE_SECONDS: '60' },
  configure(home, mcpUrl, modelUrl) {
    mkdirSync(`${home}/.gemini`)
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      mcpServers: { safes: { httpUrl: mcpUrl, oauth: { enabled: true }, trust: true } },
    }
    writeFileSync(`${home}/.gemini/settings.json`, JSON.stringify(settings))
    return {
      GOOGLE_GEMINI_BASE_URL: modelUrl,
      GEMINI_API_KEY: 'none',
      GEMINI_FORCE_FILE_STORAGE: 'true',
      GEMINI_CLI_NO_RELAUNCH: 'true',
    }
  },
  // Without a terminal, `/mcp auth safes` is a prompt like any other. With `oauth.enabled` it offers to sign in when it
  // starts and has no token, and reads the answer from standard input.
  signIn: () => ({ command: ask('Hello'), input: 'y\n' }),
  ask: prompt => ({ command: ask(prompt) }),
}
