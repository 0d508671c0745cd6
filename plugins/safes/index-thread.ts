import type { Worker } from 'node:worker_threads'
import type { GraphQuestion } from '../../graph/evaluate.js'
import type { DatabasePlace } from '../database.js'
import { notFound } from '../domain-error.js'
import { Unavailable } from '../unavailable.js'
import { startWorker } from '../worker.js'
import type { Ranked } from './content.js'
import type { BuiltIndex } from './index-build.js'
import type { Layers } from './store.js'

export interface Job {
  number: number
  safeId: string
  /** An import that is about to be committed. */
  aboutToBe?: number
  /** Asked of the index there; without it the index itself is wanted. */
  question?: GraphQuestion
}

export type Answered =
  | ({ number: number } & BuiltIndex)
  | { number: number; layers: Layers; ranked: Ranked }
  /** `null`: there is no such Safe. */
  | { number: number; failure: string | null }

interface Waiting {
  resolve(answered: Answered): void
  reject(error: unknown): void
}

/** After this time without work the thread ends, and with it the memory that building took. */
const IDLE_MS = 30_000

/** Of objects; what an index is made of is not counted. Beyond it the thread ends, and not the service. */
const HEAP_MB = 2048

/** The thread that opens indexes (`index-worker.ts`), begun when first needed. */
export class IndexThread {
  readonly #options: DatabasePlace
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | null = null
  #idle: NodeJS.Timeout | undefined
  #count = 0
  #closed = false

  constructor(options: DatabasePlace) {
    this.#options = options
  }

  /** @throws notFound; Unavailable when the thread died of it or the service closes */
  async open(safeId: string, aboutToBe?: number): Promise<BuiltIndex> {
    const answered = await this.#ask(aboutToBe === undefined ? { safeId } : { safeId, aboutToBe })
    if ('index' in answered) return answered
    throw failureOf(answered)
  }

  /** Ranks without keeping the index in memory: for a Safe larger than the cache. @throws as `open` */
  async rank(safeId: string, question: GraphQuestion): Promise<Ranked> {
    const answered = await this.#ask({ safeId, question })
    if ('ranked' in answered) return answered.ranked
    throw failureOf(answered)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#end(new Unavailable('the service is closing'))
  }

  #ask(job: Omit<Job, 'number'>): Promise<Answered> {
    if (this.#closed) throw new Unavailable('the service is closing')
    clearTimeout(this.#idle)
    const number = ++this.#count
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject })
      this.#running().postMessage({ ...job, number } satisfies Job)
    })
  }

  #running(): Worker {
    if (this.#worker) return this.#worker
    const worker = startWorker('index-worker', import.meta.url, this.#options, {
      maxOldGenerationSizeMb: HEAP_MB,
    })
    worker.unref()
    worker.on('message', (answered: Answered) => this.#settle(answered))
    worker.on('error', error => {
      if (this.#worker === worker)
        void this.#end(new Unavailable('building an index failed', { cause: error }))
    })
    this.#worker = worker
    return worker
  }

  #settle(answered: Answered): void {
    this.#waiting.get(answered.number)?.resolve(answered)
    this.#waiting.delete(answered.number)
    if (this.#waiting.size > 0) return
    this.#idle = setTimeout(() => void this.#end(new Error('idle')), IDLE_MS).unref()
  }

  async #end(reason: Error): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = null
    for (const { reject } of this.#waiting.values()) reject(reason)
    this.#waiting.clear()
    await worker?.terminate()
  }
}

function failureOf(answered: Answered): Error {
  if (!('failure' in answered)) return new Error('The thread answered something else.')
  return answered.failure === null ? notFound('Safe') : new Error(answered.failure)
}
