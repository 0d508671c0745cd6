import { LRUCache } from 'lru-cache'
import { seeded } from '../quality/typos.js'
import { type Catalogue, pick } from './catalogue.js'
import type { Cost, Costs } from './costs.js'
import { EventQueue } from './event-queue.js'
import { Server } from './server.js'

export interface Fleet {
  processes: number
  /** What the load balancer sends to the same process. */
  routing: 'nothing' | 'connection' | 'Safe'
  /** Whose snapshots processes share. The others are in a folder of each process, which is empty after a release. */
  shared: 'no Safe' | 'large Safes' | 'all Safes'
  cacheBytes: number
}

export interface Load {
  catalogue: Catalogue
  costsOf(facts: number): Costs
  questionsPerSecond: number
  seconds: number
}

export interface Outcome {
  /** Share of the questions that found the newest index in memory. */
  hits: number
  buildsPerSecond: number
  loadsPerSecond: number
  megabytes: number
  /** Milliseconds until the answer to a question that did not. */
  firstP50: number
  firstP99: number
  /** Share of all questions that took longer than a second. */
  slow: number
  /** Share of its time that a thread of the busiest process worked. */
  main: number
  thread: number
  /** Processors that Postgres keeps busy with rows and snapshots. */
  postgres: number
}

/** Rows up to which the main thread builds an index (safes/index/indexes.ts), with a pause after each slice. */
const SMALL = 5_000
const SLICE_MS = 10
/** How long an older index waits for a newer one, and how often a process looks for one that is built elsewhere. */
const PATIENCE_MS = 500
const ELSEWHERE_MS = 200
/** What a statement takes on its way to Postgres and back; and what one reads or writes. */
const STATEMENT_MS = 0.5
const ROWS = 1_000
const PART_BYTES = 1024 * 1024
const STATEMENTS_OF_A_SMALL_BUILD = 7
const CHANGES_PER_QUESTION = 0.01
const QUESTIONS_OF_A_CONNECTION_PER_HOUR = 20
const SLOW_MS = 1_000

interface Process {
  main: Server
  thread: Server
  /** Safe → the version in memory. */
  memory: LRUCache<number, number>
  /** Safe → the version in its folder. */
  folder: Map<number, number>
  /** What waits for a version of a Safe that is being opened. */
  opening: Map<string, (() => void)[]>
}

/** A fleet that has just been released: nothing is in memory, nor in the folders of the processes. */
export function simulate(fleet: Fleet, load: Load): Outcome {
  return new Simulation(fleet, load).run()
}

class Simulation {
  readonly #fleet: Fleet
  readonly #load: Load
  readonly #events = new EventQueue()
  readonly #random = seeded(7)
  readonly #costs = new Map<number, Costs>()
  readonly #processes: Process[]
  readonly #versions = new Map<number, number>()
  /** Versions that are being built for all. */
  readonly #building = new Set<string>()
  /** Safe → the version that all can load. At first it is that of before the release. */
  readonly #shared = new Map<number, number>()
  readonly #firsts: number[] = []
  #now = 0
  #postgresMs = 0
  #questions = 0
  #hits = 0
  #builds = 0
  #loads = 0
  #slow = 0

  constructor(fleet: Fleet, load: Load) {
    this.#fleet = fleet
    this.#load = load
    const now = () => this.#now
    this.#processes = Array.from({ length: fleet.processes }, () => ({
      main: new Server(this.#events, now, SLICE_MS),
      thread: new Server(this.#events, now),
      memory: new LRUCache({
        maxSize: fleet.cacheBytes,
        sizeCalculation: (_, safe: number) => Math.min(fleet.cacheBytes, this.#costsOf(safe).bytes),
      }),
      folder: new Map(),
      opening: new Map(),
    }))
  }

  run(): Outcome {
    const end = this.#load.seconds * 1000
    this.#ask()
    for (let event = this.#events.next(); event && event.at < end; event = this.#events.next()) {
      this.#now = event.at
      event.run()
    }
    const firsts = this.#firsts.sort((a, b) => a - b)
    const quantile = (share: number) => firsts[Math.floor(share * firsts.length)] ?? 0
    const busiest = (thread: 'main' | 'thread') =>
      Math.max(...this.#processes.map(process => process[thread].busyMs)) / end
    const bytes = this.#processes.reduce((sum, { memory }) => sum + memory.calculatedSize, 0)
    return {
      hits: this.#hits / this.#questions,
      buildsPerSecond: this.#builds / this.#load.seconds,
      loadsPerSecond: this.#loads / this.#load.seconds,
      megabytes: bytes / this.#processes.length / 1e6,
      firstP50: quantile(0.5),
      firstP99: quantile(0.99),
      slow: this.#slow / this.#questions,
      main: busiest('main'),
      thread: busiest('thread'),
      postgres: this.#postgresMs / end,
    }
  }

  /** The next question, and now and then a change. */
  #ask(): void {
    const { catalogue, questionsPerSecond } = this.#load
    const wait = (-Math.log(1 - this.#random()) * 1000) / questionsPerSecond
    this.#events.add(this.#now + wait, () => {
      this.#ask()
      const safe = pick(catalogue, this.#random())
      const process = this.#route(safe)
      if (this.#random() < CHANGES_PER_QUESTION) this.#change(process, safe)
      else this.#answer(process, safe)
    })
  }

  #route(safe: number): Process {
    const { processes, routing } = this.#fleet
    const spread = (number: number) => (Math.imul(number, 0x9e3779b1) >>> 0) % processes
    if (routing === 'Safe') return this.#processes[spread(safe + 1)] as Process
    const any = Math.floor(this.#random() * 2 ** 31)
    if (routing === 'nothing') return this.#processes[any % processes] as Process
    const connection = any % this.#connectionsOf(safe)
    return this.#processes[spread((safe + 1) * 31 + connection * 7_919)] as Process
  }

  #connectionsOf(safe: number): number {
    const { catalogue, questionsPerSecond } = this.#load
    const share = (catalogue.upTo[safe] ?? 0) - (catalogue.upTo[safe - 1] ?? 0)
    return Math.ceil((share * questionsPerSecond * 3600) / QUESTIONS_OF_A_CONNECTION_PER_HOUR)
  }

  #answer(process: Process, safe: number): void {
    this.#questions++
    const asked = this.#now
    const version = this.#versions.get(safe) ?? 0
    const known = process.memory.get(safe)
    const isHit = known === version
    if (isHit) this.#hits++
    let isAnswered = false
    const answer = () => {
      if (isAnswered) return
      isAnswered = true
      const { own, postgres } = this.#costsOf(safe).answer
      this.#postgresMs += postgres
      process.main.add(own, () => {
        const took = this.#now + postgres + STATEMENT_MS * 2 - asked
        if (!isHit) this.#firsts.push(took)
        if (took > SLOW_MS) this.#slow++
      })
    }
    if (isHit) answer()
    else this.#open(process, safe, version, answer)
    if (!isHit && known !== undefined) this.#events.add(asked + PATIENCE_MS, answer)
  }

  /** An import: the process that reads it has the new index first. */
  #change(process: Process, safe: number): void {
    const version = (this.#versions.get(safe) ?? 0) + 1
    this.#build(process, safe, version, () => {
      this.#versions.set(safe, Math.max(version, this.#versions.get(safe) ?? 0))
      process.memory.set(safe, version)
    })
  }

  #open(process: Process, safe: number, version: number, opened: () => void): void {
    const name = `${safe} ${version}`
    const waiting = process.opening.get(name)
    if (waiting) {
      waiting.push(opened)
      return
    }
    process.opening.set(name, [opened])
    this.#find(process, safe, version, () => {
      if ((process.memory.peek(safe) ?? -1) < version) process.memory.set(safe, version)
      const all = process.opening.get(name) ?? []
      process.opening.delete(name)
      for (const each of all) each()
    })
  }

  #find(process: Process, safe: number, version: number, found: () => void): void {
    const costs = this.#costsOf(safe)
    const load = (cost: Cost, statements: number) => {
      this.#loads++
      this.#work(process, this.#isSmall(safe) ? 'main' : 'thread', cost, statements, found)
    }
    if (process.folder.get(safe) === version) load(costs.file, 0)
    else if (this.#isShared(safe) && (this.#shared.get(safe) ?? 0) === version)
      load(costs.shared, 2 + Math.ceil(costs.bytes / PART_BYTES))
    else if (this.#building.has(`${safe} ${version}`))
      this.#events.add(this.#now + ELSEWHERE_MS, () => this.#find(process, safe, version, found))
    else this.#build(process, safe, version, found)
  }

  #build(process: Process, safe: number, version: number, built: () => void): void {
    this.#builds++
    const { build, share, bytes, facts } = this.#costsOf(safe)
    const isShared = this.#isShared(safe)
    const name = `${safe} ${version}`
    if (isShared) this.#building.add(name)
    const cost = isShared ? { own: build.own + share.own, postgres: build.postgres + share.postgres } : build
    const statements =
      STATEMENTS_OF_A_SMALL_BUILD +
      Math.ceil(facts / ROWS) +
      (isShared ? 2 + Math.ceil(bytes / PART_BYTES) : 0)
    this.#work(process, this.#isSmall(safe) ? 'main' : 'thread', cost, statements, () => {
      if (!this.#isSmall(safe)) process.folder.set(safe, version)
      if (isShared) {
        this.#building.delete(name)
        this.#shared.set(safe, Math.max(version, this.#shared.get(safe) ?? 0))
      }
      built()
    })
  }

  /** The thread of indexes does one thing after another, and waits for Postgres; the main thread does others meanwhile. */
  #work(process: Process, where: 'main' | 'thread', cost: Cost, statements: number, done: () => void): void {
    this.#postgresMs += cost.postgres
    const waits = cost.postgres + statements * STATEMENT_MS
    if (where === 'thread') process.thread.add(cost.own + waits, done)
    else process.main.add(cost.own, () => this.#events.add(this.#now + waits, done))
  }

  #isSmall(safe: number): boolean {
    return this.#costsOf(safe).facts <= SMALL
  }

  #isShared(safe: number): boolean {
    const { shared } = this.#fleet
    return shared === 'all Safes' || (shared === 'large Safes' && !this.#isSmall(safe))
  }

  #costsOf(safe: number): Costs {
    const known = this.#costs.get(safe)
    if (known) return known
    const costs = this.#load.costsOf(this.#load.catalogue.facts[safe] ?? 1)
    this.#costs.set(safe, costs)
    return costs
  }
}
