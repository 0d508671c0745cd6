import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { buildDomains } from '../../domains.js'
import { loadConfig } from '../../plugins/config.js'
import { startBuilt } from '../../test/built-server.js'
import { freePort } from '../../test/free-port.js'
import { createSmallSafe } from '../small-safe.js'

/** The built service in a process of its own, with one Safe. */
export interface Service {
  port: number
  /** Access tokens, each of a connection of its own to the Safe. */
  tokens: string[]
  /** Seconds of processor time so far. */
  cpu(): number
  stop(): Promise<void>
}

/** Fills a data folder and starts the service on it. `redisUrl`: '' for the embedded set-up. */
export async function startService(folder: string, redisUrl: string, connections: number): Promise<Service> {
  const port = await freePort()
  const settings = { DATA_DIR: folder, REDIS_URL: redisUrl, PORT: String(port) }
  const tokens = await fill(settings, connections)
  // Its log goes where a log goes.
  const { child, stop } = await startBuilt({ ...settings, LOG_LEVEL: 'info' })
  return {
    port,
    tokens,
    cpu: () => cpuOf(child),
    stop: () => stop('SIGTERM'),
  }
}

async function fill(settings: Record<string, string>, connections: number): Promise<string[]> {
  const app = await buildDomains({ config: loadConfig(settings) }, 'cli')
  await app.ready()
  const safe = await createSmallSafe(app)
  const tokens: string[] = []
  for (let i = 0; i < connections; i++) {
    const grant = { chosenSafeIds: [safe.id] }
    tokens.push((await app.oauth.issueTokens('ann', { clientName: 'bench', grant })).accessToken)
  }
  await app.close()
  return tokens
}

/** Linux counts it in hundredths of a second (proc(5), /proc/pid/stat, utime and stime). */
function cpuOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}
