import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { startBuilt } from '../../built-server.js'
import { freePort } from '../../free-port.js'
import { build, dataDir, migratedDataDir } from '../../helper.js'
import { builtFolder } from '../../servers.js'
import { hiddenFields } from '../pages/browser.js'
import { type Outcome, runHere, type Started, start, startHere } from './svc.js'

const ADA = { email: 'ada@safes.example', password: 'a password for the tests' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** The service on another machine, with an account and a Safe called Notes. */
export interface RemoteServer {
  url: string
  /** Runs a command on the machine of the service. */
  there(...args: string[]): Promise<Outcome>
  /** Ends the service and starts it again. */
  restart(): Promise<void>
}

/** The service in this process, which is faster. */
export interface ServerHere extends RemoteServer {
  readonly app: FastifyInstance
}

/** The built service in a process of its own, which a restart kills. */
export interface BuiltServer extends RemoteServer {
  port: number
}

export async function openServer(t: Test, settings: Record<string, string> = {}): Promise<ServerHere> {
  const { env, there } = await installation(t, null, settings)
  const start = async () => {
    const app = await build(t, { env })
    await app.listen({ port: Number(env.PORT), host: '127.0.0.1' })
    return app
  }
  let app = await start()
  return {
    url: env.BASE_URL,
    there,
    get app() {
      return app
    },
    async restart() {
      await app.close()
      app = await start()
    },
  }
}

/** `behind` is the address of a proxy in front of it. */
export async function openBuiltServer(t: Test, behind: string | null = null): Promise<BuiltServer> {
  const { env, there } = await installation(t, behind)
  const start = async () => startBuilt(env, { files: await builtFolder() })
  let process = await start()
  t.teardown(() => process.stop('SIGKILL'))
  return {
    url: env.BASE_URL,
    port: Number(env.PORT),
    there,
    async restart() {
      await process.stop('SIGKILL')
      process = await start()
    },
  }
}

async function installation(t: Test, behind: string | null, settings: Record<string, string> = {}) {
  const [folder, port] = [await migratedDataDir(t), await freePort()]
  const there = (...args: string[]) =>
    runHere(folder, args, `${ADA.password}\n`, { XDG_CONFIG_HOME: join(folder, 'none') })
  await there('account', 'add', ADA.email, '--password-stdin')
  await there('safe', 'add', 'Notes', '--owner', ADA.email)
  const BASE_URL = behind ?? `http://127.0.0.1:${port}`
  return {
    env: { DATA_DIR: folder, PORT: String(port), BASE_URL, CALLS_PER_SECOND: '0', ...settings },
    there,
  }
}

/** Another machine: its own home folder, and no installation. */
export interface Machine {
  home: string
  env: Record<string, string>
  /** Runs a command in this process. */
  svc(...args: string[]): Promise<Outcome>
  /** Starts a command in this process, with typed or piped input. */
  run(args: string[], input: Readable): Started
  /** Starts a command as its own process, which can be killed. */
  start(...args: string[]): Promise<Started & { child: ChildProcess }>
  /** Signs in, with the given ticks on the consent page. */
  login(url: string, choice?: Choice, ...options: string[]): Promise<Outcome>
}

interface Choice {
  scopes?: string[]
  safes?: string[]
  decision?: 'approve' | 'deny'
}

export function openMachine(t: Test, more: Record<string, string> = {}): Machine {
  const home = dataDir(t)
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    DATA_DIR: join(home, 'data'),
    ...more,
  }
  const run = (args: string[], input: Readable) => startHere(args, input, env)
  return {
    home,
    env,
    run,
    svc: (...args) => run(args, Readable.from([''])).ended,
    async start(...args) {
      const { child, ended, printed } = await start(env.DATA_DIR, args, null, env)
      t.teardown(() => child.kill('SIGKILL'))
      return { child, ended, printed, stderr: child.stderr }
    },
    async login(url, choice = {}, ...options) {
      // Standard input stays open until the browser has answered.
      const started = run(['login', url, '--no-browser', ...options], new PassThrough())
      const address = await printedAddress(started)
      if (address !== null) await fetch(await decide(address, choice))
      return started.ended
    },
  }
}

/** The address that `svc login` prints; null if it ends without one. */
export async function printedAddress({ stderr, ended, printed }: Started): Promise<string | null> {
  const address = () => /^ {2}(https?:\S+)$/m.exec(printed.stderr)?.[1]
  while (!address()) {
    const isEnded = await Promise.race([
      ended.then(() => true),
      new Promise<false>(resolve => stderr.once('data', () => resolve(false))),
    ])
    if (isEnded && !address()) return null
  }
  return address() ?? null
}

/** The actions of a person in the browser: signs in and answers. Returns the final address. */
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
