import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDomains } from '../../domains.js'
import { loadConfig } from '../../plugins/config.js'
import { freePort } from '../../test/free-port.js'
import { Server } from '../../test/integration/redis/servers.js'
import { startWatched } from '../watched-server.js'
import type { Account, Attack, Service } from './attack.js'

const PASSWORD = 'correct horse battery'

export interface AttackedService extends Service {
  honest: Account
  /** The longest that one piece of work kept the main thread since the last call, in milliseconds of processor time. */
  longestPiece(): Promise<number>
  /** Milliseconds that the main thread worked so far, and that it waited for a free core. */
  mainThread(): { ran: number; waited: number }
  stop(): Promise<void>
}

/** Starts the built service on a data folder of its own with two accounts, each with the sample Safe. */
export async function startService(attack: Attack): Promise<AttackedService> {
  const ending: (() => unknown)[] = []
  const stop = async () => {
    for (const end of ending.reverse()) await end()
  }
  try {
    const dataDir = mkdtempSync(join(tmpdir(), 'svc-attack-'))
    ending.push(() => rmSync(dataDir, { recursive: true, force: true }))
    const redis = attack.redis ? await startRedis(attack.redis, ending) : null
    const settings = {
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      REDIS_URL: redis?.url ?? '',
      TRUST_PROXY: '127.0.0.1',
    }
    const [attacker, honest] = await createAccounts(settings)
    const { port, child, holds, stop: kill } = await startWatched({ ...settings, LOG_LEVEL: 'silent' })
    ending.push(() => kill('SIGKILL'))
    return {
      url: `http://localhost:${port}`,
      port,
      dataDir,
      attacker,
      redis,
      honest,
      longestPiece: async () => Math.max(0, ...(await holds()).map(hold => hold.longestPiece)),
      mainThread: () => mainThread(child),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** As the kernel counts it, in nanoseconds (/proc/PID/task/TID/schedstat). */
function mainThread({ pid }: ChildProcess) {
  const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')
    .split(' ')
    .map(Number)
  return { ran: ran / 1e6, waited: waited / 1e6 }
}

async function startRedis(args: string[], ending: (() => unknown)[]): Promise<Server> {
  const port = await freePort()
  const redis = new Server(port, ['--port', String(port), ...args])
  ending.push(async () => {
    await redis.kill()
    rmSync(redis.folder, { recursive: true, force: true })
  })
  redis.start()
  await redis.ask('ping')
  return redis
}

async function createAccounts(settings: Record<string, string>): Promise<[Account, Account]> {
  const app = await buildDomains({ config: loadConfig(settings) }, 'cli')
  await app.ready()
  const create = async (email: string): Promise<Account> => {
    const { id } = await app.accounts.add(email, PASSWORD)
    const safe = await app.safes.createSample(id)
    const grant = { chosenSafeIds: [safe.id] }
    const { accessToken } = await app.oauth.issueTokens(id, { clientName: email, grant })
    return { email, password: PASSWORD, token: accessToken, safeId: safe.id }
  }
  const accounts: [Account, Account] = [await create('mallory@a.example'), await create('ann@a.example')]
  await app.close()
  return accounts
}
