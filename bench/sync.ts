// npm run bench -- sync [NOTES [CHANGES]] — keeping a Safe in step with a folder of NOTES (10,000) generated notes by
// the built command line: the first run, a run without changes, the time from a change of one note to the answer that
// another process gives, and the memory of `--watch` before and after CHANGES (10,000) changes, a hundred at a time.
import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildDomains } from '../domains.js'
import { loadConfig } from '../plugins/config.js'
import { writeNotes } from './import/note-folder.js'

const [count, changes] = [Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 10_000)]
/** Single changes whose time is measured. */
const SINGLE = 20
const AT_ONCE = 100
/** Budgets in milliseconds. */
const FIRST = 60_000
const CHANGE = 2_000

const cli = new URL('../dist/cli.js', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-sync-'))
const notes = join(folder, 'notes')
const env = { ...process.env, DATA_DIR: join(folder, 'data') }
let watching: ChildProcess | undefined
let isSlow = false
try {
  const bytes = writeNotes(notes, count)
  console.log(`${count.toLocaleString('en')} notes, ${(bytes / 1e6).toFixed(1)} MB, Node ${process.version}`)
  await svc(['account', 'add', 'bench@example.com', '--password-stdin'], 'correct horse battery\n')
  const safe = (await svc(['safe', 'add', 'Notes', '--owner', 'bench@example.com'])).output.trim()
  const first = await svc(['safe', 'sync', safe, notes])
  report('first run', first.ms, FIRST)
  report('run without changes', (await svc(['safe', 'sync', safe, notes])).ms)
  await changeNotes(safe)
} finally {
  watching?.kill('SIGKILL')
  rmSync(folder, { recursive: true })
}
process.exitCode = isSlow ? 1 : 0

async function changeNotes(safe: string): Promise<void> {
  watching = spawn(process.execPath, [cli, 'safe', 'sync', safe, notes, '--watch'], { env, stdio: 'ignore' })
  const app = await buildDomains({ config: loadConfig(env) }, 'cli')
  await app.ready()
  const [owned] = await app.safes.named(safe)
  const ownerId = owned?.ownerId ?? ''
  const isKnown = async (word: string) =>
    (await app.safes.ask(ownerId, safe, { query: word })).passages.some(({ text }) => text.includes(word))
  const change = async (round: number, files: number) => {
    const word = `zebra${round}x${files}`
    const started = performance.now()
    for (let at = 0; at < files; at++)
      appendFileSync(noteAt((round * files + at) % count), `\n\nSeen: ${word}.\n`)
    while (!(await isKnown(word))) await pause(20)
    return performance.now() - started
  }
  await change(count, 1)
  const [times, alone] = [[] as number[], [] as number[]]
  const used = processorTime()
  for (let round = 0; round < SINGLE; round++) {
    await pause(500)
    const before = threads()
    const ms = await change(round, 1)
    times.push(ms)
    alone.push(ms - waited(before))
  }
  for (const list of [times, alone]) list.sort((a, b) => a - b)
  console.log(
    `processor time of the watching process for each: ${((processorTime() - used) / SINGLE).toFixed(2)} s`,
  )
  report('one note, from its change to the answer, median', times[SINGLE / 2] ?? 0, CHANGE)
  report('the slowest of them', times.at(-1) ?? 0)
  report('without waiting for a processor, median', alone[SINGLE / 2] ?? 0)
  console.log(`memory of the watching process: ${memory()}`)
  for (let round = 0; round < changes / AT_ONCE; round++) {
    await change(round, AT_ONCE)
    if (round % 25 === 24)
      console.log(
        `after ${((round + 1) * AT_ONCE).toLocaleString('en')} changes: ${memory()}; ${await versions(app, safe)}`,
      )
  }
  report('one note after that', await change(SINGLE, 1), CHANGE)
  await app.close()
}

/** Old versions are kept as long as their runs can be undone, and then dropped in the background. */
async function versions({ database }: FastifyInstance, safe: string): Promise<string> {
  const { all } = await database.read
    .selectFrom('synced_files')
    .where('safe_id', '=', safe)
    .select(eb => eb.fn.countAll<number>().as('all'))
    .executeTakeFirstOrThrow()
  return `${Number(all).toLocaleString('en')} versions of ${count.toLocaleString('en')} notes`
}

function noteAt(at: number): string {
  return join(notes, `part ${at % 100}`, `Crane ${at}.md`)
}

function report(what: string, ms: number, budget?: number): void {
  const isOver = budget !== undefined && ms > budget
  isSlow ||= isOver
  const limit = budget === undefined ? '' : ` (budget ${budget / 1000} s${isOver ? ', exceeded' : ''})`
  console.log(`${what}: ${(ms / 1000).toFixed(2)} s${limit}`)
}

/** Seconds, of all its threads. */
function processorTime(): number {
  const [, fields = ''] = readFileSync(`/proc/${watching?.pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11, 13)
  return (Number(user) + Number(system)) / 100
}

interface ThreadTimes {
  ran: number
  waited: number
}

/** Milliseconds that each thread ran, and was ready to run while other programs did. */
function threads(): Map<string, ThreadTimes> {
  const tasks = `/proc/${watching?.pid}/task`
  return new Map(
    readdirSync(tasks).map(task => {
      const [ran, waited] = readFileSync(join(tasks, task, 'schedstat'), 'utf8')
        .split(' ')
        .map(Number)
      return [task, { ran: (ran ?? 0) / 1e6, waited: (waited ?? 0) / 1e6 }]
    }),
  )
}

/** How long the two busiest threads have waited since: the main thread and the one of indexes, which take turns. */
function waited(before: ReadonlyMap<string, ThreadTimes>): number {
  const since = Array.from(threads(), ([task, now]) => {
    const { ran, waited } = before.get(task) ?? { ran: 0, waited: 0 }
    return { ran: now.ran - ran, waited: now.waited - waited }
  })
  const busiest = since.sort((a, b) => b.ran - a.ran).slice(0, 2)
  return busiest.reduce((sum, { waited }) => sum + waited, 0)
}

function memory(): string {
  const status = readFileSync(`/proc/${watching?.pid}/status`, 'utf8')
  const megabytes = (name: string) =>
    (Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024).toFixed(0)
  return `${megabytes('VmRSS')} MB, ${megabytes('VmHWM')} MB at most`
}

async function svc(args: string[], input = ''): Promise<{ output: string; ms: number }> {
  const started = performance.now()
  const child = spawn(process.execPath, [cli, ...args], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(input)
  const output = await text(child.stdout)
  return { output, ms: performance.now() - started }
}
