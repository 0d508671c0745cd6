import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildDomains } from '../../domains.js'
import { loadConfig, rootDir } from '../../plugins/config.js'
import { freePort } from '../free-port.js'
import type { Account, Attack, Service } from './attack.js'

/** A time at which the main thread did not come back. Milliseconds (bench/import/event-loop.mjs). */
interface Hold {
  late: number
  /** Of these it worked; the rest it waited for a free core, the disk or another thread. */
  ran: number
}

const PROBE = fileURLToPath(new URL('../../bench/import/event-loop.mjs', import.meta.url))
export const PASSWORD = 'correct horse battery'

export interface AttackedService extends Service {
  honest: Account
  /** The longest gap of the event loop since the last call, in milliseconds. */
  longestGap(): Promise<number>
  stop(): Promise<void>
}

/** Starts the built service on a data folder of its own with two accounts, each with the sample Safe. */
export async function startService({ env = {} }: Attack): Promise<AttackedService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-attack-'))
  const port = await freePort()
  const settings = { DATA_DIR: dataDir, PORT: String(port), TRUST_PROXY: '127.0.0.1', ...env }
  const [attacker, honest] = await createAccounts(settings)
  const child = spawn(process.execPath, ['--import', PROBE, join(rootDir, 'dist', 'server.js')], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', NODE_ENV: 'production', ...settings },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  await listening(child)
  const holds = async () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the service ended')
    child.send('holds')
    const [holds] = (await once(child, 'message')) as [Hold[]]
    return holds
  }
  return {
    url: `http://localhost:${port}`,
    port,
    dataDir,
    attacker,
    honest,
    svc: (args, input) => runCli(settings, args, input),
    longestGap: async () => Math.max(0, ...(await holds()).map(({ late, ran }) => Math.min(late, ran))),
    async stop() {
      const ended = once(child, 'exit')
      if (child.exitCode === null && child.kill('SIGKILL')) await ended
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function createAccounts(settings: Record<string, string>): Promise<[Account, Account]> {
  const app = await buildDomains({ config: loadConfig(settings) }, 'cli')
  await app.ready()
  const create = async (email: string): Promise<Account> => {
    const { id } = await app.accounts.add(email, PASSWORD)
    const safe = await app.safes.createSample(id)
    const facts = { chosenSafeId: safe.id }
    const { accessToken } = await app.oauth.issueTokens(id, { clientName: email, facts })
    return { email, password: PASSWORD, token: accessToken, safeId: safe.id }
  }
  const accounts: [Account, Account] = [await create('mallory@a.example'), await create('ann@a.example')]
  await app.close()
  return accounts
}

async function listening(child: ChildProcess): Promise<void> {
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr?.on('data', chunk => {
      printed += chunk
      if (printed.includes('Listening')) resolve()
    })
    child.once('exit', () => reject(new Error(`the service did not start: ${printed}`)))
  })
}

async function runCli(settings: Record<string, string>, args: string[], input = ''): Promise<string> {
  const env = { PATH: process.env.PATH, ...settings }
  const child = spawn(process.execPath, [join(rootDir, 'dist', 'cli.js'), ...args], { env })
  child.stdin.end(input)
  let [output, errors] = ['', '']
  child.stdout.on('data', chunk => {
    output += chunk
  })
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`svc ${args.join(' ')}: ${errors}`)
  return output
}
