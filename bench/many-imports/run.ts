// npm run bench -- many-imports [NUMBER …] — what a question costs a Safe of so many imports, before and after old
// ones are merged (docs/decisions/0031). Each import says two things of its own and two that all say. Embedded
// database; processor time of this process, so that what else the machine does hardly matters.
// With TURNS=1 also the longest turn of the event loop while it merges; that costs a processor.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildDomains } from '../../domains.js'
import { loadConfig } from '../../plugins/config.js'
import { fill } from './fill.js'

const ASKED = 200
const numbers = process.argv.slice(2).map(Number)
const late = { ms: 0 }

for (const imports of numbers.length > 0 ? numbers : [10, 1_000, 20_000, 87_600]) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const config = loadConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', BASE_URL: 'http://127.0.0.1:1' })
  const app = await buildDomains({ config, clock: () => Date.now() + late.ms }, 'server')
  await app.ready()
  try {
    await measure(app, imports)
  } catch (error) {
    console.log(`${imports} imports: ${(error as Error).message}`)
  } finally {
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(app: FastifyInstance, imports: number): Promise<void> {
  const safeId = await fill(app, imports)
  const opened = await spent(() => ask(app, safeId, 1))
  console.log(`${imports} imports: index ${opened}; a question ${await questions(app, safeId, imports)}`)
  // What a server does every hour; then what is left to do ten minutes after.
  const longest = process.env.TURNS ? watchTurns() : () => null
  const merged = await spent(() => swept(app))
  late.ms += 700_000
  const dropped = await spent(() => swept(app))
  const turn = longest()
  const [safe] = await app.safes.readableBy('ann')
  if (safe?.version === 1) return
  const again = await spent(() => ask(app, safeId, 1))
  const turns =
    turn === null ? '' : `; longest turn of the event loop ${turn.toFixed(1)} ms of processor time`
  console.log(`  merged in ${merged}, dropped in ${dropped}${turns}`)
  console.log(`  then: index ${again}; a question ${await questions(app, safeId, imports)}`)
}

/** Looks at the processor time of each turn of the event loop, by turning all the time. Returns the longest, and ends. */
function watchTurns(): () => number {
  let [most, isOver] = [0, false]
  let last = process.cpuUsage()
  const look = () => {
    const { user, system } = process.cpuUsage(last)
    most = Math.max(most, (user + system) / 1000)
    last = process.cpuUsage()
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  return () => {
    isOver = true
    return most
  }
}

async function swept(app: FastifyInstance): Promise<void> {
  const domain = app.safes as typeof app.safes & { sweep(): void }
  domain.sweep()
  await domain.settled()
}

function ask(app: FastifyInstance, safeId: string, sensor: number) {
  return app.safes.ask('ann', safeId, { query: `Where does Sensor ${sensor} stand?` })
}

async function questions(app: FastifyInstance, safeId: string, imports: number): Promise<string> {
  const times: number[] = []
  for (let i = 0; i < ASKED; i++) {
    const usage = process.cpuUsage()
    await ask(app, safeId, ((i * 7919) % imports) + 1)
    const { user, system } = process.cpuUsage(usage)
    times.push((user + system) / 1000)
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.floor(share * times.length)] ?? 0).toFixed(2)
  return `${at(0.5)} ms (p90 ${at(0.9)})`
}

async function spent(work: () => Promise<unknown>): Promise<string> {
  const [usage, started] = [process.cpuUsage(), performance.now()]
  await work()
  const { user, system } = process.cpuUsage(usage)
  return `${((user + system) / 1e6).toFixed(2)} s of processor time in ${((performance.now() - started) / 1000).toFixed(1)} s`
}
