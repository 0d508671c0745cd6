import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Test } from 'tap'
import { dataDir } from '../../../data-dir.js'
import { decide } from '../../../e2e/browser.js'
import type { Household } from '../../../e2e/service.js'
import { serve } from '../../../e2e/web-server.js'
import type { Dialect, ScriptedModel, Step } from './scripted-model.js'

/** An assistant that runs as a program, with its differences from the others. */
export interface Assistant {
  /** As the page of connections shows it. */
  name: string
  dialect: Dialect
  /** The part of a tool result that its model sees. */
  shows: 'text' | 'structuredContent'
  /** Where it keeps its tokens, below its home. */
  tokenFile: string
  /** How its model reads a long document. Default: with the usual tokens, because it cuts longer results. */
  reads?: { max_tokens: number }
  /** Arguments that it offers to its model with every tool, and passes on. */
  adds?: Record<string, unknown>
  /** Whether its processes agree on which of them refreshes. */
  refreshes: 'under a lock' | 'without a lock'
  /** Whether it keeps a refused access token until it expires, instead of asking its user to sign in again. */
  keepsRefusedTokens?: true
  /** Settings of the service that it needs. */
  settings?: Record<string, string>
  /** Writes its settings into a new home. Returns the environment it needs. */
  configure(home: string, mcpUrl: string, modelUrl: string): Record<string, string>
  /** Opens the authorization URL in a browser, and ends once the user has decided. */
  signIn(): Invocation
  /** One conversation without a terminal: prints the last reply of the model. */
  ask(prompt: string): Invocation
}

export interface Invocation {
  command: string[]
  input?: string
}

export interface Installation {
  /** Signs in through the pages of the service, in the browser of its owner. */
  signIn(choice?: { mayPropose?: boolean }): Promise<void>
  /** Runs one conversation by this script. Returns its output. */
  ask(script: Step[]): Promise<string>
  /** Lets an access token expire, for the service and for the assistant. */
  passAnHour(): void
}

/** Gives an assistant a home of its own, the service as an MCP server, and a model. */
export async function install(
  t: Test,
  assistant: Assistant,
  { baseUrl, page, clock }: Household,
  model: ScriptedModel,
): Promise<Installation> {
  const home = dataDir(t)
  const folder = `${home}/work`
  mkdirSync(folder)
  const nextAddress = await installBrowser(t, home)
  const env = {
    HOME: home,
    PATH: `${home}/bin:${process.env.PATH}`,
    BROWSER: `${home}/bin/xdg-open`,
    TERM: 'xterm-256color',
    ...assistant.configure(home, `${baseUrl}/mcp/v1`, model.url),
  }
  return {
    async signIn({ mayPropose = false } = {}) {
      model.script = []
      const address = nextAddress()
      const exited = run(t, assistant.signIn(), folder, env)
      const early = exited.then(printed => Promise.reject(new Error(`Opened no browser: ${printed}`)))
      await decide(page, await Promise.race([address, early]), 'approve', { mayPropose })
      await exited
    },
    ask(script) {
      model.script = script
      return run(t, assistant.ask('Ask my Safe.'), folder, env)
    },
    passAnHour() {
      clock.now += 3601_000
      const file = `${home}/${assistant.tokenFile}`
      const tokens = readFileSync(file, 'utf8')
      writeFileSync(file, tokens.replace(/("expires_?[aA]t": ?)\d+/, `$1${Date.now()}`))
    },
  }
}

/** Installs a browser that only reports the address it should open. */
async function installBrowser(t: Test, home: string): Promise<() => Promise<URL>> {
  let receive: (address: URL) => void = () => {}
  const origin = await serve(t, (request, response) => {
    response.end()
    receive(new URL(new URL(request.url ?? '/', origin).searchParams.get('address') ?? ''))
  })
  const script = `fetch('${origin}/?' + new URLSearchParams({ address: process.argv[2] }))`
  mkdirSync(`${home}/bin`)
  writeFileSync(`${home}/bin/xdg-open`, `#!${process.execPath}\n${script}\n`, { mode: 0o700 })
  return () =>
    new Promise(resolve => {
      receive = resolve
    })
}

/** Runs a program to its end. Returns its output. */
function run(
  t: Test,
  { command, input = '' }: Invocation,
  cwd: string,
  env: Record<string, string>,
): Promise<string> {
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd, env })
  t.teardown(() => child.kill())
  child.stdin.end(input)
  const printed = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', chunk => {
      printed[stream] += chunk
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) resolve(printed.stdout)
      else reject(new Error(`${program} ended with ${code ?? signal}: ${printed.stdout}${printed.stderr}`))
    })
  })
}
