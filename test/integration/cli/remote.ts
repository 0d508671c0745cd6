import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Test } from 'tap'
import { type ServerProcess, startBuilt } from '../../built-server.js'
import { freePort } from '../../free-port.js'
import { dataDir } from '../../helper.js'
import { builtFolder } from '../../servers.js'
import { hiddenFields } from '../pages/browser.js'
import { type Outcome, runHere } from './svc.js'

const ADA = { email: 'ada@safes.example', password: 'a password for the tests' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** The built service on another machine, with an account and a Safe called Notes. */
export interface RemoteServer {
  url: string
  folder: string
  process: ServerProcess
  /** Runs a command beside the service. */
  there(...args: string[]): Promise<Outcome>
  /** Kills the service and starts it again. */
  restart(): Promise<void>
}

export async function openServer(
  t: Test,
  settings: Record<string, string> = {},
  { behind = null }: { behind?: string | null } = {},
): Promise<RemoteServer> {
  const [folder, port] = [dataDir(t), await freePort()]
  const env = {
    DATA_DIR: folder,
    PORT: String(port),
    BASE_URL: behind ?? `http://127.0.0.1:${port}`,
    CALLS_PER_SECOND: '0',
    ...settings,
  }
  const there = (...args: string[]) =>
    runHere(folder, args, `${ADA.password}\n`, { XDG_CONFIG_HOME: join(folder, 'none') })
  await there('account', 'add', ADA.email, '--password-stdin')
  await there('safe', 'add', 'Notes', '--owner', ADA.email)
  const start = async () => startBuilt(env, { files: await builtFolder() })
  const server: RemoteServer = {
    url: env.BASE_URL,
    folder,
    process: await start(),
    there,
    async restart() {
      await server.process.stop('SIGKILL')
      server.process = await start()
    },
  }
  t.teardown(() => server.process.stop('SIGKILL'))
  return server
}

/** Another machine: a home folder of its own, and no installation. */
export interface Machine {
  home: string
  env: Record<string, string>
  svc(...args: string[]): Promise<Outcome>
  start(...args: string[]): Started
  /** Signs in, with what a person ticks on the consent page. */
  login(url: string, choice?: Choice, ...options: string[]): Promise<Outcome>
}

export interface Started {
  child: ChildProcess
  ended: Promise<Outcome>
  /** What it has printed so far. */
  printed: Outcome
}

interface Choice {
  scopes?: string[]
  safes?: string[]
  decision?: 'approve' | 'deny'
}

export async function openMachine(t: Test, more: Record<string, string> = {}): Promise<Machine> {
  const cli = join(await builtFolder(), 'dist', 'cli.js')
  const home = dataDir(t)
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    DATA_DIR: join(home, 'data'),
    ...more,
  }
  const startWith = (args: string[]) => {
    const started = startSvc(cli, args, env)
    t.teardown(() => started.child.kill('SIGKILL'))
    return started
  }
  const run = (...args: string[]) => {
    const started = startWith(args)
    started.child.stdin?.end()
    return started.ended
  }
  return {
    home,
    env,
    svc: run,
    start: (...args) => startWith(args),
    async login(url, choice = {}, ...options) {
      const started = startWith(['login', url, '--no-browser', ...options])
      const address = await printedAddress(started)
      if (address !== null) await fetch(await decide(address, choice))
      return started.ended
    },
  }
}

function startSvc(cli: string, args: string[], env: Record<string, string>): Started {
  const child = spawn(process.execPath, [cli, ...args], { env })
  const printed: Outcome = { code: null, stdout: '', stderr: '' }
  child.stdout.on('data', chunk => {
    printed.stdout += chunk
  })
  child.stderr.on('data', chunk => {
    printed.stderr += chunk
  })
  child.stdin.on('error', () => {})
  const ended = new Promise<Outcome>(resolve => {
    child.once('close', code => resolve({ ...printed, code }))
  })
  return { child, ended, printed }
}

/** The address that `svc login` prints; null if it ends without. */
export async function printedAddress({ child, ended, printed }: Started): Promise<string | null> {
  const address = () => /^ {2}(https?:\S+)$/m.exec(printed.stderr)?.[1]
  while (!address()) {
    const isEnded = await Promise.race([
      ended.then(() => true),
      new Promise<false>(resolve => child.stderr?.once('data', () => resolve(false))),
    ])
    if (isEnded && !address()) return null
  }
  return address() ?? null
}

/** What a person does in the browser: signs in and answers. Returns where the browser is sent in the end. */
export async function decide(
  address: string,
  { scopes = ['vault:read', 'vault:write'], safes = ['all'], decision = 'approve' }: Choice = {},
): Promise<string> {
  const { origin } = new URL(address)
  const cookies = new Map<string, string>()
  const visit = async (path: string, body?: URLSearchParams) => {
    const cookie = [...cookies].map(pair => pair.join('=')).join('; ')
    const headers = { cookie, accept: 'text/html', ...(body ? FORM : {}) }
    const method = body ? 'POST' : 'GET'
    const response = await fetch(new URL(path, origin), {
      method,
      headers,
      redirect: 'manual',
      ...(body ? { body: body.toString() } : {}),
    })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    return response
  }
  const next = async (path: string) => (await visit(path)).headers.get('location') ?? ''
  const login = await next(await next(address))
  const fields = hiddenFields(await (await visit(login)).text(), '/login')
  const signedIn = await visit('/login', new URLSearchParams({ ...fields, ...ADA }))
  const page = signedIn.headers.get('location') ?? ''
  const { _csrf = '' } = hiddenFields(await (await visit(page)).text(), page)
  const choice = new URLSearchParams({ _csrf, decision })
  for (const scope of scopes) choice.append('scope', scope)
  for (const safe of safes) if (safe !== 'all') choice.append('safe', safe)
  const decided = await visit(page, choice)
  return decided.headers.get('location') ?? ''
}
