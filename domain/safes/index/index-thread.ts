import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type {
  Browsed,
  BrowseKind,
  BrowseQuery,
  Duplicate,
  DuplicatesQuery,
  GraphQuestion,
} from '../../../engine/graph/index.js'
import { DomainError, notFound } from '../../../platform/common/domain-error.js'
import { Unavailable } from '../../../platform/common/unavailable.js'
import { startWorker } from '../../../platform/common/worker.js'
import type { DatabaseLocation } from '../../../platform/storage/database.js'
import { TOO_LARGE } from '../errors.js'
import type { CommittedImports } from '../stores/types.js'
import type { Ranked } from './content.js'
import type { BuiltIndex } from './index-build.js'
import { Watchdog } from './watchdog.js'

export interface Job {
  number: number
  safeId: string
  /** An import that is about to be committed. */
  pendingImport?: number
  /** Only to read the rows that the next index is built from. */
  prepare?: true
  /** A question for the index, what a page shows, or a search for duplicates. Without any, the index itself is returned. */
  question?: GraphQuestion
  browse?: BrowseQuery
  duplicates?: DuplicatesQuery
}

/** The likeliest duplicates of a Safe, and the import that names each of their entities. */
export interface FoundDuplicates {
  committed: CommittedImports
  found: Duplicate[]
  naming: Map<string, number>
}

export type JobResult =
  | ({ number: number } & BuiltIndex)
  | { number: number; committed: CommittedImports; ranked: Ranked }
  | { number: number; browsed: Browsed }
  | ({ number: number } & FoundDuplicates)
  | { number: number; prepare: true }
  | { number: number; builtElsewhere: true }
  /** Null: the Safe does not exist. */
  | { number: number; failure: string | null; reason?: 'too large' | 'unavailable' }

/** A sign of life, sent on a timer. */
export const ALIVE = 'alive'

/** Sent when the thread has started the process that builds for it. */
export interface StartedBuilder {
  builder: number | null
}

/** Asks the thread to end, with the process that builds for it. */
export const END = 'end'
/** How long it may take for that. */
const END_MS = 1_000

/** Where the thread finds rows, and the module next to which its process is found. */
export interface IndexThreadData {
  place: DatabaseLocation
  from: string
}

interface Waiting {
  job: Job
  resolve(answered: JobResult): void
  reject(error: unknown): void
}

/**
 * An idle thread ends after this time, which frees the rows that it keeps for the next index. Longer than the minute
 * after which a watched folder is looked at again: as long as it is watched, they stay.
 */
const IDLE_MS = 90_000

/** How often to look for an index that another process builds. Meanwhile the thread does other jobs. */
const ELSEWHERE_MS = 200

/** What the thread may use, and how long it may be silent. Beyond these limits the thread ends, not the service. */
interface IndexThreadLimits {
  /** Memory for objects; index buffers are not counted. */
  heapMb: number
  silentMs: number
}

const LIMITS: IndexThreadLimits = { heapMb: 2048, silentMs: 15_000 }

const startIndexing = (data: IndexThreadData, { heapMb }: IndexThreadLimits) =>
  startWorker('index-worker', import.meta.url, data, { maxOldGenerationSizeMb: heapMb })

/**
 * The thread that opens indexes (`index-worker.ts`), started on demand. It processes one job after another, and has
 * indexes built by a process of its own (`build-process.ts`).
 * If a job makes it hang or die, that job fails and the others continue in a new thread.
 */
export class IndexThread {
  readonly #options: DatabaseLocation
  readonly #limits: IndexThreadLimits
  readonly #startThread: typeof startIndexing
  readonly #watchdog: Watchdog
  /** In order of arrival. */
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | null = null
  /** The id of the process that builds for the thread. It must not outlive a thread that has died. */
  #builder: number | null = null
  #idle: NodeJS.Timeout | undefined
  #count = 0
  #closed = false

  constructor(options: DatabaseLocation, limits = LIMITS, startThread = startIndexing) {
    this.#options = options
    this.#limits = limits
    this.#startThread = startThread
    this.#watchdog = new Watchdog(limits.silentMs, () => this.#fail('took too long'))
  }

  /** @throws notFound; Unavailable when the thread hung or died because of it, or the service is closing */
  async open(safeId: string, pendingImport?: number): Promise<BuiltIndex> {
    const answered = await this.#ask(pendingImport === undefined ? { safeId } : { safeId, pendingImport })
    if ('index' in answered) return answered
    throw failureOf(answered)
  }

  /** Reads the rows that the next index of the Safe is built from. Throws like `open`. */
  async prepare(safeId: string): Promise<void> {
    const answered = await this.#ask({ safeId, prepare: true })
    if (!('prepare' in answered)) throw failureOf(answered)
  }

  /** Ranks without keeping the index in memory: for a Safe larger than the cache. Throws like `open`. */
  async rank(safeId: string, question: GraphQuestion): Promise<Ranked> {
    const answered = await this.#ask({ safeId, question })
    if ('ranked' in answered) return answered.ranked
    throw failureOf(answered)
  }

  /** Like `rank`, for a page. */
  async browse<Kind extends BrowseKind>(safeId: string, browse: BrowseQuery<Kind>): Promise<Browsed<Kind>> {
    const answered = await this.#ask({ safeId, browse: browse as BrowseQuery })
    if ('browsed' in answered) return answered.browsed as Browsed<Kind>
    throw failureOf(answered)
  }

  /** Searches for duplicates, which may take seconds. Throws like `open`. */
  async duplicates(safeId: string, duplicates: DuplicatesQuery): Promise<FoundDuplicates> {
    const answered = await this.#ask({ safeId, duplicates })
    if ('found' in answered) return answered
    throw failureOf(answered)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#end(new Unavailable('the service is closing'))
  }

  async #ask(request: Omit<Job, 'number'>): Promise<JobResult> {
    for (;;) {
      const answered = await this.#send(request)
      if (!('builtElsewhere' in answered)) return answered
      await sleep(ELSEWHERE_MS)
    }
  }

  async #send(request: Omit<Job, 'number'>): Promise<JobResult> {
    if (this.#closed) throw new Unavailable('the service is closing')
    clearTimeout(this.#idle)
    const job: Job = { ...request, number: ++this.#count }
    return new Promise((resolve, reject) => {
      this.#waiting.set(job.number, { job, resolve, reject })
      const isStarting = this.#worker === null
      this.#running().postMessage(job)
      this.#watchdog.start(isStarting)
    })
  }

  #running(): Worker {
    if (this.#worker) return this.#worker
    const worker = this.#startThread({ place: this.#options, from: import.meta.url }, this.#limits)
    worker.unref()
    worker.on('message', (message: JobResult | StartedBuilder | typeof ALIVE) => {
      if (this.#worker !== worker) return
      this.#watchdog.reset()
      if (message === ALIVE) return
      if ('builder' in message) this.#builder = message.builder
      else this.#settle(message)
    })
    worker.on('error', (error: Error & { code?: string }) => {
      if (this.#worker !== worker) return
      this.#fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'took too much memory' : 'failed', error)
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.#fail('ended its thread')
    })
    this.#worker = worker
    return worker
  }

  #settle(answered: JobResult): void {
    this.#waiting.get(answered.number)?.resolve(answered)
    this.#waiting.delete(answered.number)
    if (this.#waiting.size > 0) return
    this.#watchdog.stop()
    this.#idle = setTimeout(() => void this.#end(new Error('idle')), IDLE_MS).unref()
  }

  /** Ends the thread and its current job; waiting jobs start again in a new thread. */
  #fail(how: string, cause?: Error): void {
    const worker = this.#worker
    this.#worker = null
    this.#watchdog.stop()
    this.#killBuilder()
    void worker?.terminate()
    const [first] = this.#waiting.values()
    if (!first) return
    this.#waiting.delete(first.job.number)
    const { safeId } = first.job
    first.reject(new Unavailable(`Building the index of Safe ${safeId} ${how}.`, { cause }))
    if (this.#waiting.size === 0) return
    for (const { job } of this.#waiting.values()) this.#running().postMessage(job)
    this.#watchdog.start()
  }

  async #end(reason: Error): Promise<void> {
    clearTimeout(this.#idle)
    this.#watchdog.stop()
    const worker = this.#worker
    this.#worker = null
    for (const { reject } of this.#waiting.values()) reject(reason)
    this.#waiting.clear()
    if (!worker) return
    // With nothing else to do, Node would exit with 13 instead of waiting for the thread.
    worker.ref()
    worker.postMessage(END)
    const isEnded = await Promise.race([once(worker, 'exit'), sleep(END_MS, false, { ref: false })])
    if (isEnded) this.#builder = null
    else this.#killBuilder()
    await worker.terminate()
  }

  /** A process that hangs would not notice that its thread has died. */
  #killBuilder(): void {
    const builder = this.#builder
    this.#builder = null
    try {
      if (builder !== null) process.kill(builder, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

function failureOf(answered: JobResult): Error {
  if (!('failure' in answered)) return new Error('The thread sent an unexpected result.')
  const { failure, reason } = answered
  if (failure === null) return notFound('Safe')
  if (reason === 'too large') return new DomainError(503, TOO_LARGE, failure)
  return reason === 'unavailable' ? new Unavailable(failure) : new Error(failure)
}
