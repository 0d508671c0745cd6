import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDomains } from '../../domains.js'
import { loadConfig } from '../../plugins/config.js'
import { type ServerProcess, startBuilt } from '../../test/built-server.js'
import { freePort } from '../../test/free-port.js'
import { startSentinels } from '../../test/integration/redis/servers.js'
import { PostgresServer } from '../../test/postgres-server.js'
import { createSmallSafe } from '../small-safe.js'
import { startHaproxy, stop } from './haproxy.js'
import type { Target } from './users.js'

/** Two processes behind HAProxy, on Postgres with a synchronous standby and Redis with Sentinel. */
export interface World {
  target: Target
  processes: ServerProcess[]
  /** Starts the n-th process again, on its port. */
  restart(n: number): Promise<void>
  primary: PostgresServer
  standby: PostgresServer
  redis: Awaited<ReturnType<typeof startSentinels>>
}

/** Makes a world for `work` and ends it. */
export async function inWorld(work: (world: World) => Promise<void>): Promise<void> {
  const ends: (() => unknown)[] = []
  const owner = { teardown: (end: () => unknown) => void ends.unshift(end) }
  try {
    await work(await makeWorld(owner))
  } finally {
    for (const end of ends) await end()
  }
}

async function makeWorld(owner: { teardown(end: () => unknown): void }): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  owner.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const primary = await PostgresServer.start()
  owner.teardown(() => primary.remove())
  const standby = await PostgresServer.standbyOf(primary)
  owner.teardown(() => standby.remove())
  const redis = await startSentinels(owner)
  const port = await freePort()
  const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`
  const env = {
    BASE_URL: `http://127.0.0.1:${port}`,
    TRUST_PROXY: 'loopback',
    DATABASE_URL: `postgres://svc@${hosts}/postgres?target_session_attrs=read-write`,
    REDIS_URL: redis.url,
    CALLS_PER_SECOND: '0',
    LOG_LEVEL: 'silent',
  }
  const target = { port, ...(await fill({ ...env, DATA_DIR: join(folder, 'cli') })) }
  const start = (n: number, port = '') =>
    startBuilt({ ...env, DATA_DIR: join(folder, `data-${n}`), ...(port && { PORT: port }) })
  const processes = [await start(0), await start(1)]
  owner.teardown(() => Promise.all(processes.map(each => each.stop('SIGKILL'))))
  const ports = processes.map(({ port }) => port)
  const proxy: ChildProcess = await startHaproxy(folder, port, ports)
  owner.teardown(() => stop(proxy))
  const restart = async (n: number) => {
    processes[n] = await start(n, String(ports[n]))
  }
  return { target, processes, restart, primary, standby, redis }
}

/** An account with a Safe, signed in, and what an assistant is. */
async function fill(env: Record<string, string>): Promise<Omit<Target, 'port'>> {
  const app = await buildDomains({ config: loadConfig(env) }, 'cli')
  await app.ready()
  const safe = await createSmallSafe(app)
  const grant = { chosenSafeIds: [safe.id] }
  const { accessToken } = await app.oauth.issueTokens('ann', { clientName: 'bench', grant })
  const client = await app.oauth.clients.register({
    redirect_uris: ['https://assistant.example/cb'],
    client_name: 'Assistant',
  })
  const cookies = `svc_session=${await app.loginSessions.begin('ann')}`
  await app.close()
  const paths = { authorizePath: '/oauth/authorize', tokenPath: '/oauth/token' }
  return { accessToken, server: { ...paths, clientId: client.id, cookies } }
}
