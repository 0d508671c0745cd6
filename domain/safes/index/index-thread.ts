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
import { AccountTurns } from '../../../platform/limits/account-turns.js'
import { Pool } from '../../../platform/processes/pool.js'
import { Lost } from '../../../platform/processes/talk.js'
import { startThread } from '../../../platform/processes/thread.js'
import type { DatabaseLocation } from '../../../platform/storage/database.js'
import { TOO_LARGE } from '../errors.js'
import type { CommittedImports } from '../stores/types.js'
import type { Ranked } from './content.js'
import type { BuiltIndex } from './index-build.js'

/** The likeliest duplicates of a Safe, and the import that names each of their entities. */
export interface FoundDuplicates {
  committed: CommittedImports
  found: Duplicate[]
  naming: Map<string, number>
}

export type Job = { safeId: string } /** `pendingImport`: one that is about to be committed. */ & (
  | { kind: 'open'; pendingImport?: number | undefined }
  /** Only to read the rows that the next index is built from. */
  | { kind: 'prepare' }
  | { kind: 'rank'; question: GraphQuestion }
  | { kind: 'browse'; browse: BrowseQuery }
  | { kind: 'duplicates'; duplicates: DuplicatesQuery }
)

interface Results {
  open: BuiltIndex
  prepare: null
  rank: Ranked
  browse: Browsed
  duplicates: FoundDuplicates
}

export type Answer =
  | { done: Results[Job['kind']] }
  | { isBuiltElsewhere: true }
  /** Null: the Safe does not exist. */
  | { failure: string | null; reason?: 'too large' | 'unavailable' }

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

/** Jobs that no account waits for share one turn. */
const NOBODY = ''
const NEVER = new AbortController().signal

const LIMITS: IndexThreadLimits = { heapMb: 2048, silentMs: 15_000 }

const startIndexing = (data: IndexThreadData, { heapMb }: IndexThreadLimits) =>
  startThread('index-worker', import.meta.url, data, { maxOldGenerationSizeMb: heapMb })

/**
 * The thread that opens indexes (`index-worker.ts`), started on demand. It has them built by a process of its own
 * (`build-process.ts`). Accounts take turns. A job that makes the thread hang or die fails; the next has a new thread.
 */
export class IndexThread {
  readonly #pool: Pool<Job, Answer | StartedBuilder, Worker>
  readonly #turns = new AccountTurns(() => false)
  /** The id of the process that builds for a thread. It must not outlive one that has died. */
  readonly #builders = new WeakMap<Worker, number>()
  #closed = false

  constructor(place: DatabaseLocation, limits = LIMITS, start = startIndexing) {
    this.#pool = new Pool<Job, Answer | StartedBuilder, Worker>({
      start: () => start({ place, from: import.meta.url }, limits),
      silentMs: limits.silentMs,
      idleMs: IDLE_MS,
      stop: (thread, error) => this.#stop(thread, error),
    })
  }

  /** @throws notFound; Unavailable when the thread hung or died because of it, or the service is closing */
  open(safeId: string, accountId = NOBODY, pendingImport?: number): Promise<BuiltIndex> {
    return this.#ask<'open'>({ kind: 'open', safeId, pendingImport }, accountId)
  }

  /** Reads the rows that the next index of the Safe is built from. Throws like `open`. */
  async prepare(safeId: string): Promise<void> {
    await this.#ask<'prepare'>({ kind: 'prepare', safeId })
  }

  /** Ranks without keeping the index in memory: for a Safe larger than the cache. Throws like `open`. */
  rank(safeId: string, question: GraphQuestion, accountId = NOBODY): Promise<Ranked> {
    return this.#ask<'rank'>({ kind: 'rank', safeId, question }, accountId)
  }

  /** Like `rank`, for a page. */
  async browse<Kind extends BrowseKind>(
    safeId: string,
    browse: BrowseQuery<Kind>,
    accountId = NOBODY,
  ): Promise<Browsed<Kind>> {
    const job = { kind: 'browse' as const, safeId, browse: browse as BrowseQuery }
    return (await this.#ask<'browse'>(job, accountId)) as Browsed<Kind>
  }

  /** Searches for duplicates, which may take seconds. Throws like `open`. */
  duplicates(safeId: string, duplicates: DuplicatesQuery, accountId = NOBODY): Promise<FoundDuplicates> {
    return this.#ask<'duplicates'>({ kind: 'duplicates', safeId, duplicates }, accountId)
  }

  close(): Promise<void> {
    this.#closed = true
    return this.#pool.end()
  }

  async #ask<Kind extends Job['kind']>(
    job: Job & { kind: Kind },
    accountId = NOBODY,
  ): Promise<Results[Kind]> {
    for (;;) {
      const end = await this.#turns.take(accountId, NEVER)
      const answer = await this.#answer(job).finally(end)
      if ('done' in answer) return answer.done as Results[Kind]
      if ('failure' in answer) throw failureOf(answer)
      await sleep(ELSEWHERE_MS)
    }
  }

  async #answer(job: Job): Promise<Answer> {
    if (this.#closed) throw new Unavailable('the service is closing')
    const talk = this.#pool.begin()
    let isDone = false
    try {
      talk.send(job)
      for (;;) {
        const message = await talk.next().catch(error => this.#fail(error, job.safeId))
        isDone = !('builder' in message)
        if (!('builder' in message)) return message
        if (message.builder !== null) this.#builders.set(talk.member, message.builder)
      }
    } finally {
      talk.end(isDone)
    }
  }

  #fail(error: unknown, safeId: string): never {
    if (this.#closed) throw new Unavailable('the service is closing')
    const how = HOW[error instanceof Lost ? error.how : 'error']
    throw new Unavailable(`Building the index of Safe ${safeId} ${how}.`, { cause: error })
  }

  /** One that hangs is not asked to end, and its process would not notice that it has died. */
  async #stop(thread: Worker, error: unknown): Promise<void> {
    const isAsked = !(error instanceof Lost) || error.how === 'stopped'
    if (isAsked) {
      // With nothing else to do, Node would exit with 13 instead of waiting for the thread.
      thread.ref()
      thread.postMessage(END)
      const isEnded = once(thread, 'exit').then(() => true)
      if (await Promise.race([isEnded, sleep(END_MS, false, { ref: false })])) return
    }
    const builder = this.#builders.get(thread)
    try {
      if (builder !== undefined) process.kill(builder, 'SIGKILL')
    } catch {
      // It has ended.
    }
    await thread.terminate()
  }
}

const HOW: Record<Lost['how'], string> = {
  silent: 'took too long',
  memory: 'took too much memory',
  error: 'failed',
  exit: 'ended its thread',
  stopped: 'was stopped',
}

function failureOf({ failure, reason }: Extract<Answer, { failure: string | null }>): Error {
  if (failure === null) return notFound('Safe')
  if (reason === 'too large') return new DomainError(503, TOO_LARGE, failure)
  return reason === 'unavailable' ? new Unavailable(failure) : new Error(failure)
}
