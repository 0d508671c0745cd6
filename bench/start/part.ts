import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../test/free-port.js'
import { PostgresServer } from '../../test/postgres-server.js'
import { memoryMb, percentile, processorMs, withBudget } from '../figures.js'
import type { Programs } from '../load/programs.js'

/** The start is over, including all work it has begun. */
const AFTER_START_MS = 5000
/** V8 returns memory needed only for the start after one to two idle minutes. */
const IDLE_MS = 180_000
/** Limits of the service on the machine of the figures in docs/benchmarks.md. */
const BUDGET = { startMs: 400, idleMb: 110 }

interface Start {
  name: string
  /** The arguments of `node`. */
  args: string[]
  env: () => Record<string, string>
  /** From `spawn` to the first 200. */
  ms: number[]
  cpuMs: number[]
  /** Only for the service itself, not for what it is compared with. */
  hasBudget: boolean
}

/** Starts of the built server and of its components. Rows of Markdown. */
export async function measureStarts(
  programs: Programs,
  redisUrl: string,
  rounds: number,
  only: string,
): Promise<string[]> {
  const postgres = await PostgresServer.start()
  try {
    const starts = subjects(programs.folder, redisUrl, postgres.url()).filter(({ name }) =>
      name.includes(only),
    )
    // The first start in a folder creates its database, and loads the files into the page cache.
    for (const each of starts) await stop((await start(each)).child)
    for (let round = 0; round < rounds; round++) {
      for (const each of starts) {
        const { child, ms, cpuMs } = await start(each)
        each.ms.push(ms)
        each.cpuMs.push(cpuMs)
        await stop(child)
      }
    }
    // In parallel: they only wait.
    const memory = await Promise.all(starts.map(memoryOf))
    return starts.map((each, at) => `| ${each.name} | ${figures(each, memory[at] as Memory)} |`)
  } finally {
    await postgres.remove()
  }
}

export const STARTS_HEAD = [
  '| Cold start | ms to ready | CPU ms | MB after 5 s | MB idle |',
  '|---|---:|---:|---:|---:|',
]

function subjects(folder: string, redisUrl: string, databaseUrl: string): Start[] {
  const server = fileURLToPath(new URL('../../server.js', import.meta.url))
  const folderOf = (name: string) => () => ({ DATA_DIR: join(folder, name) })
  const newFolder = () => ({ DATA_DIR: mkdtempSync(join(folder, 'first-')) })
  const shared = { REDIS_URL: redisUrl, DATABASE_URL: databaseUrl }
  const withRedis = { ...folderOf('with-redis')(), REDIS_URL: redisUrl }
  const withBoth = { ...folderOf('with-both')(), ...shared }
  return [
    subject('node with Fastify alone', ['--input-type=module', '-e', bare([])]),
    subject('node with Fastify and the SDK', ['--input-type=module', '-e', bare([SDK])]),
    subject('embedded', [server], folderOf('start')),
    subject('embedded, first start', [server], newFolder),
    subject('Redis', [server], () => withRedis),
    subject('Redis and Postgres', [server], () => withBoth),
  ]
}

function subject(name: string, args: string[], env?: Start['env']): Start {
  return { name, args, env: env ?? (() => ({})), ms: [], cpuMs: [], hasBudget: env !== undefined }
}

const SDK = `import '@modelcontextprotocol/sdk/server/index.js'`

function bare(imports: string[]): string {
  return `import Fastify from 'fastify'
${imports.join('\n')}
const app = Fastify()
app.get('/readyz', async () => 'ready')
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })`
}

async function start({ name, args, env }: Start) {
  const port = await freePort()
  const began = performance.now()
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), LOG_LEVEL: 'warn', ...env() },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error(`${name} did not start`)
    await sleep(5)
  }
  return { child, ms: performance.now() - began, cpuMs: processorMs(child.pid) }
}

async function isReady(port: number): Promise<boolean> {
  try {
    const { ok } = await fetch(`http://127.0.0.1:${port}/readyz`)
    return ok
  } catch {
    return false
  }
}

interface Memory {
  afterStartMb: number
  idleMb: number
}

async function memoryOf(each: Start): Promise<Memory> {
  const { child } = await start(each)
  const resident = () => Math.round(memoryMb(child.pid, 'VmRSS'))
  await sleep(AFTER_START_MS)
  const afterStartMb = resident()
  await sleep(IDLE_MS - AFTER_START_MS)
  const idleMb = resident()
  await stop(child)
  return { afterStartMb, idleMb }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

function figures({ ms, cpuMs, hasBudget }: Start, { afterStartMb, idleMb }: Memory): string {
  const [ready, processor] = [Math.round(percentile(ms, 0.5)), percentile(cpuMs, 0.5)]
  if (!hasBudget) return `${ready} | ${processor} | ${afterStartMb} | ${idleMb}`
  const start = withBudget(ready, BUDGET.startMs, ready < BUDGET.startMs)
  const idle = withBudget(idleMb, BUDGET.idleMb, idleMb <= BUDGET.idleMb)
  return `${start} | ${processor} | ${afterStartMb} | ${idle}`
}
