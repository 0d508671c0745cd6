// npm run bench -- folder [NOTES …] [--before CHECKOUT] [--qmd FOLDER] [--changes COUNT] — what a folder of NOTES notes of
// 3 kB costs that is synced beside a server: its first run, `svc safe sync` after one change, one change with `--watch` until
// it is answered, and a minute without changes. Processor time is that of all processes. --before: another built checkout,
// --qmd: a folder in which npm package @tobilu/qmd is installed (`qmd update`, without models); all take turns.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { rootDir } from '../../platform/common/package.js'
import { startBuilt } from '../../test/built-server.js'
import { freePort } from '../../test/free-port.js'
import { childrenOf, machine, percentile, processorMs, timed } from '../figures.js'
import { seeded } from '../quality/typos.js'
import { noteText, pathOf, writeNotes } from './notes.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    before: { type: 'string' },
    qmd: { type: 'string' },
    changes: { type: 'string', default: '10' },
    idle: { type: 'string', default: '65' },
  },
})
const sizes = positionals.length > 0 ? positionals.map(Number) : [1_000, 10_000]
const changes = Number(values.changes)
/** Notes of one folder; a run refuses more. Only the first of several folders changes. */
const IN_VAULT = 50_000
const EMAIL = 'ann@bench.example'
/** Work after an answer, such as dropping old versions, belongs to the change. Longer than an idle reader of files is kept. */
const AFTERWARDS_MS = 3_000
const random = seeded(7)

/** Milliseconds. */
interface Cost {
  clock: number
  processor: number
}

/** A program that takes up the notes of its own copy of the folder. */
interface Taker {
  name: string
  vault: string
  /** The first run, or one after a change. */
  update(): Promise<Cost>
}

async function measure(notes: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-folder-'))
  const svcs = [new Svc('this build', rootDir, join(folder, 'svc'), notes)]
  if (values.before) svcs.push(new Svc('before', values.before, join(folder, 'before'), notes))
  const takers: Taker[] = values.qmd ? [...svcs, qmd(values.qmd, join(folder, 'qmd'), notes)] : svcs
  const tell = (what: string, costs: [Taker, Cost[]][]) =>
    console.log(
      `| ${notes.toLocaleString('en')} | ${what} | ${costs.map(([{ name }, all]) => `${name} ${middle(all, 'clock')} ms (processor ${middle(all, 'processor')} ms)`).join(' | ')} |`,
    )
  try {
    for (const svc of svcs) await svc.prepare()
    const first: [Taker, Cost[]][] = []
    for (const taker of takers) first.push([taker, [await taker.update()]])
    tell('first run', first)
    const once = await inTurns(takers, async (taker, at) => {
      change(taker, at, notes)
      return taker.update()
    })
    tell('once, one change', once)
    for (const svc of svcs) await svc.watch()
    tell('watched, one change', await inTurns(svcs, (svc, at) => svc.answered(change(svc, at + 100, notes))))
    const idle = svcs.map(svc => svc.processor)
    await pause(Number(values.idle) * 1000)
    tell(
      `${values.idle} s without a change`,
      svcs.map((svc, at) => [svc, [{ clock: 0, processor: svc.processor - (idle[at] ?? 0) }]]),
    )
  } finally {
    for (const svc of svcs) await svc.end()
    rmSync(folder, { recursive: true })
  }
}

/** The first round does not count. */
async function inTurns<Of extends Taker>(takers: Of[], work: (taker: Of, at: number) => Promise<Cost>) {
  const costs = takers.map(taker => [taker, []] as [Of, Cost[]])
  for (let round = -1; round < changes; round++)
    for (const [taker, all] of costs) {
      const cost = await work(taker, round + 1)
      if (round >= 0) all.push(cost)
    }
  return costs as [Taker, Cost[]][]
}

const middle = (costs: Cost[], of: keyof Cost) =>
  percentile(
    costs.map(cost => cost[of]),
    0.5,
  ).toFixed(0)

/** Writes other text into a note. Returns a word in it, and what this word means. */
function change({ vault }: Taker, at: number, notes: number): [string, string] {
  const [word, meaning] = [`zqword${at}`, `florin${at}`]
  const text = `${noteText(random, notes)}\n\nThe ${word} means ${meaning}.\n`
  writeFileSync(join(vault, pathOf((at * 37) % Math.min(notes, IN_VAULT))), text)
  return [word, meaning]
}

/** A build of the service, with its own data and notes. */
class Svc implements Taker {
  readonly name: string
  readonly vault: string
  readonly #cli: string
  readonly #files: string
  readonly #env: Record<string, string>
  readonly #vaults: string[]
  readonly #notes: number
  readonly #running: ChildProcess[] = []
  #token = ''
  #run: AsyncIterator<string> | undefined
  #url = ''

  constructor(name: string, files: string, folder: string, notes: number) {
    this.name = name
    this.#files = files
    this.#notes = notes
    this.#cli = join(files, 'dist', 'cli.js')
    this.#env = { DATA_DIR: join(folder, 'data'), CALLS_PER_SECOND: '0' }
    this.#vaults = Array.from({ length: Math.ceil(notes / IN_VAULT) }, (_, at) => join(folder, `vault${at}`))
    this.vault = this.#vaults[0] ?? ''
  }

  async prepare(): Promise<void> {
    for (const [at, vault] of this.#vaults.entries())
      writeNotes(vault, [at * IN_VAULT, Math.min(this.#notes, (at + 1) * IN_VAULT)], seeded(at + 1))
    this.#svc('account', 'add', EMAIL, '--password-stdin')
    this.#svc('safe', 'add', 'Notes', '--owner', EMAIL)
    this.#token = this.#svc('connection', 'token', EMAIL, '--days', '1').trim()
    // Only the first folder is measured.
    for (const vault of this.#vaults.slice(1)) this.#svc('safe', 'sync', 'Notes', vault)
  }

  update(): Promise<Cost> {
    return costOf([process.execPath, this.#cli, 'safe', 'sync', 'Notes', this.vault], this.#env)
  }

  /** Starts a server, and a command that watches the folder. */
  async watch(): Promise<void> {
    const port = String(await freePort())
    const env = { ...this.#env, PORT: port, BASE_URL: `http://127.0.0.1:${port}` }
    const server = await startBuilt(env, { files: this.#files })
    this.#url = server.url
    this.#running.push(server.child)
    await this.#ask('Anything')
    const args = [this.#cli, 'safe', 'sync', 'Notes', this.vault, '--watch', '--json']
    const options = {
      env: { PATH: process.env.PATH, ...this.#env },
      stdio: ['ignore', 'pipe', 'inherit'] as const,
    }
    const watching = spawn(process.execPath, args, options as never) as ChildProcess
    this.#running.push(watching)
    this.#run = createInterface(watching.stdout as NodeJS.ReadableStream)[Symbol.asyncIterator]()
    await this.#run.next()
    await pause(AFTERWARDS_MS)
  }

  /** From a change that was made just now. */
  async answered([word, meaning]: [string, string]): Promise<Cost> {
    const before = this.processor
    const { clock } = await timed(async () => {
      await this.#run?.next()
      while (!(await this.#ask(`What does ${word} mean?`)).includes(meaning)) await pause(20)
    })
    await pause(AFTERWARDS_MS)
    return { clock, processor: this.processor - before }
  }

  get processor(): number {
    return this.#running.reduce((sum, { pid }) => sum + withChildren(pid), 0)
  }

  async end(): Promise<void> {
    for (const child of this.#running) {
      child.kill()
      if (child.exitCode === null) await once(child, 'exit')
    }
  }

  async #ask(query: string): Promise<string> {
    const response = await fetch(`${this.#url}/mcp/v1`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#token}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'svc', arguments: { query } },
      }),
    })
    const text = await response.text()
    if (!response.ok || text.includes('"isError":true')) throw new Error(text.slice(0, 300))
    return text
  }

  #svc(...args: string[]): string {
    const env = { PATH: process.env.PATH, ...this.#env }
    return execFileSync(process.execPath, [this.#cli, ...args], {
      env,
      input: 'a password for a bench\n',
    }).toString()
  }
}

function qmd(installed: string, folder: string, notes: number): Taker {
  const vault = join(folder, 'vault')
  writeNotes(vault, [0, notes], seeded(1))
  const env = { HOME: folder, XDG_CACHE_HOME: join(folder, 'cache'), XDG_CONFIG_HOME: join(folder, 'config') }
  const command = join(installed, 'node_modules', '.bin', 'qmd')
  let isFirst = true
  const update = () => {
    const args = isFirst ? ['collection', 'add', vault, '--name', 'notes'] : ['update']
    isFirst = false
    return costOf([command, ...args], env)
  }
  return { name: 'qmd', vault, update }
}

/** A command with all its children, whose processor time bash adds up. */
async function costOf(command: string[], env: Record<string, string>): Promise<Cost> {
  const script = 'TIMEFORMAT="%U %S"; { time "$@" >/dev/null 2>&3; } 3>/dev/null'
  const { result, clock } = await timed(async () => {
    const child = spawn('bash', ['--norc', '-c', script, 'bash', ...command], {
      env: { PATH: process.env.PATH, ...env },
    })
    let printed = ''
    child.stderr.on('data', chunk => (printed += chunk))
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`${command.join(' ')} exited with ${code}`)
    return printed
  })
  const seconds = result.trim().split(' ').map(Number)
  return { clock, processor: 1000 * ((seconds[0] ?? 0) + (seconds[1] ?? 0)) }
}

/** Milliseconds of a process, its children and those that have ended. */
const withChildren = (pid: unknown): number =>
  childrenOf(pid).reduce((sum, child) => sum + withChildren(child), processorMs(pid, true))

console.log(`${machine()}\n`)
for (const size of sizes) await measure(size)
