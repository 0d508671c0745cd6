import { execFileSync } from 'node:child_process'
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDomains } from '../../domains.js'
import { buildIndex } from '../../graph/index/build-index.js'
import { Workspace } from '../../graph/index/workspace.js'
import { loadConfig } from '../../plugins/config.js'
import { contentOf } from '../../safes/index/content.js'
import { SharedSnapshots } from '../../safes/index/shared-snapshots.js'
import { Snapshots, shared } from '../../safes/index/snapshot.js'
import { ContentStore } from '../../safes/stores/content.sql.js'
import { openReader } from '../../storage/open-database.js'
import { PostgresServer } from '../../test/postgres-server.js'
import { writeFacts } from '../import/facts.js'

/** Milliseconds of processor time: of the thread that does it, and of Postgres meanwhile. */
export interface Cost {
  own: number
  postgres: number
}

/** What is measured of a Safe with a number of facts. */
export interface Costs {
  facts: number
  bytes: number
  /** Memory beside `bytes`: objects that point into them. */
  objects: number
  build: Cost
  file: Cost
  shared: Cost
  share: Cost
  answer: Cost
}

const SIZES = [100, 1_000, 10_000, 50_000]
/** Measured until so much processor time is used, within these numbers of rounds; the median counts. */
const ENOUGH_MS = 300
const ROUNDS = { least: 3, most: 15 }
const QUESTIONS = 100
/** Indexes that are opened to see what objects take. */
const OPENED = 300

/** Measures the engine and the stores of the service, over Postgres, with generated Safes. */
export async function measureCosts(): Promise<Costs[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-fleet-'))
  const server = await PostgresServer.start()
  const at = { dataDir: join(folder, 'data'), databaseUrl: server.url() }
  const config = loadConfig({ DATA_DIR: at.dataDir, DATABASE_URL: at.databaseUrl, LOG_LEVEL: 'silent' })
  const app = await buildDomains({ config }, 'server')
  await app.ready()
  const reader = await openReader(at)
  try {
    const account = await app.accounts.add('bench@example.com', 'correct horse battery')
    const contents = new ContentStore(reader)
    const files = new Snapshots(folder)
    const sharing = new SharedSnapshots(reader.read)
    const measure = meterOf(server.pid ?? 0)
    const costs: Costs[] = []
    for (const facts of SIZES) {
      const path = join(folder, `${facts}.jsonl`)
      const questions = await writeFacts(path, facts)
      const { id } = await app.safes.create(account.id, 'Bench')
      await app.safes.imports.add(account.id, id, {
        source: path,
        bytes: createReadStream(path),
        commit: true,
      })
      const committed = await contents.committedImports(id)
      if (!committed) throw new Error('the Safe is gone')
      const { contentHash, ranges } = committed
      const build = async () => shared(await buildIndex(contents.source(id, ranges)))
      const index = await build()
      await files.save(id, contentHash, index)
      const share = async () => {
        await sharing.forget(id, contentHash)
        await sharing.begin(id, contentHash, facts)
        await sharing.save(id, contentHash, index)
      }
      await share()
      let asked = 0
      const ask = async () => {
        for (let i = 0; i < QUESTIONS; i++)
          await app.safes.ask(account.id, id, { query: questions[asked++ % questions.length] ?? '' })
      }
      await ask()
      const answers = await measure(ask)
      const workspace = new Workspace()
      const before = memory()
      const opened = Array.from({ length: OPENED }, () => contentOf(committed, index, workspace))
      const objects = (memory() - before) / opened.length
      costs.push({
        facts,
        bytes: index.bytes.length,
        objects,
        build: await measure(build),
        file: await measure(() => files.load(id, contentHash)),
        shared: await measure(() => sharing.load(id, contentHash)),
        share: await measure(share),
        answer: { own: answers.own / QUESTIONS, postgres: answers.postgres / QUESTIONS },
      })
    }
    return costs
  } finally {
    await reader.read.destroy()
    await app.close()
    await server.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

function memory(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

function meterOf(postgres: number) {
  return async (work: () => Promise<unknown>): Promise<Cost> => {
    const costs: Cost[] = []
    for (let spent = 0; costs.length < ROUNDS.least || (spent < ENOUGH_MS && costs.length < ROUNDS.most); ) {
      const before = { own: process.cpuUsage(), postgres: childrenMs(postgres) }
      await work()
      const { user, system } = process.cpuUsage(before.own)
      spent += (user + system) / 1000
      costs.push({ own: (user + system) / 1000, postgres: childrenMs(postgres) - before.postgres })
    }
    const median = (kind: keyof Cost) =>
      costs.map(cost => cost[kind]).sort((a, b) => a - b)[costs.length >> 1] ?? 0
    return { own: median('own'), postgres: Math.max(0, median('postgres')) }
  }
}

/** What the processes of the connections have used of the processor. */
function childrenMs(parent: number): number {
  const pids = execFileSync('ps', ['--ppid', String(parent), '-o', 'pid='], { encoding: 'utf8' })
  return pids
    .trim()
    .split(/\s+/)
    .reduce((sum, pid) => {
      try {
        return sum + Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
      } catch {
        return sum
      }
    }, 0)
}

/** The costs of any size: in a straight line between the measured ones, and beyond them. */
export function costsOf(measured: readonly Costs[], facts: number): Costs {
  const above = measured.findIndex(costs => costs.facts > facts)
  const to = above < 0 ? measured.length - 1 : Math.max(1, above)
  const [low, high] = [measured[to - 1] as Costs, measured[to] as Costs]
  const share = (facts - low.facts) / (high.facts - low.facts)
  const between = (from: number, to: number) => Math.max(Math.min(from, to) / 10, from + share * (to - from))
  const cost = (kind: 'build' | 'file' | 'shared' | 'share' | 'answer') => ({
    own: between(low[kind].own, high[kind].own),
    postgres: between(low[kind].postgres, high[kind].postgres),
  })
  return {
    facts,
    bytes: Math.round(between(low.bytes, high.bytes)),
    objects: high.objects,
    build: cost('build'),
    file: cost('file'),
    shared: cost('shared'),
    share: cost('share'),
    // Does not grow with the Safe.
    answer: high.answer,
  }
}
