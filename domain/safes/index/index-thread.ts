import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import type {
  Browsed,
  BrowseKind,
  BrowseQuery,
  DuplicatesQuery,
  GraphQuestion,
} from '../../../engine/graph/index.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { Unavailable } from '../../../platform/common/unavailable.js'
import { AccountTurns } from '../../../platform/limits/account-turns.js'
import { Pool } from '../../../platform/processes/pool.js'
import { Lost } from '../../../platform/processes/talk.js'
import { startThread } from '../../../platform/processes/thread.js'
import type { DatabaseLocation } from '../../../platform/storage/database.js'
import { BuiltElsewhere, type OpenFrom } from './index-build.js'
import type { IndexJobs, IndexThreadData } from './index-worker.js'

type Name = keyof IndexJobs
type Result<Of extends Name> = Awaited<ReturnType<IndexJobs[Of]>>

/** The work of the thread: each job with its input. */
interface IndexWork {
  job: { name: Name; args: readonly unknown[] }
}

/**
 * An idle thread ends after this time, which frees the rows that it keeps for the next index. Longer than the minute
 * between checks of a watched folder: the rows stay as long as it is watched.
 */
const IDLE_MS = 90_000

/** How often to look for an index that another process builds. Meanwhile the thread does other jobs. */
const ELSEWHERE_MS = 200

/** The thread's memory limit, and its maximum silence. Beyond these limits the thread ends, not the service. */
interface IndexThreadLimits {
  /** Maximum memory for objects; index buffers are not counted. */
  heapMb: number
  silentMs: number
}

const LIMITS: IndexThreadLimits = { heapMb: 2048, silentMs: 15_000 }

const startIndexing = (data: IndexThreadData, { heapMb }: IndexThreadLimits) =>
  startThread('index-worker', import.meta.url, data, { maxOldGenerationSizeMb: heapMb })

/** Jobs without an account share one turn. */
const NOBODY = ''
const NEVER = new AbortController().signal

/**
 * The thread that opens indexes (`index-worker.ts`), started on demand. A separate process builds them
 * (`build-process.ts`). Accounts take turns. A job that makes the thread hang or die fails; the next has a new thread.
 */
export class IndexThread {
  readonly #pool: Pool<IndexWork, Worker>
  readonly #turns = new AccountTurns(() => false)
  #closed = false

  constructor(place: DatabaseLocation, limits = LIMITS, start = startIndexing) {
    const errors = [DomainError, Unavailable, BuiltElsewhere]
    const { silentMs } = limits
    this.#pool = new Pool({
      start: () => start({ place, from: import.meta.url }, limits),
      silentMs,
      idleMs: IDLE_MS,
      errors,
    })
  }

  /** @throws notFound; Unavailable when the thread hung or died because of it, or the service is closing */
  open(safeId: string, accountId = NOBODY, how: OpenFrom = {}) {
    return this.#ask(accountId, 'open', safeId, how)
  }

  /** Ranks without keeping the index in memory, for a Safe larger than the cache. Throws like `open`. */
  rank(safeId: string, question: GraphQuestion, accountId = NOBODY) {
    return this.#ask(accountId, 'rank', safeId, question)
  }

  /** Like `rank`, for a page. */
  browse<Kind extends BrowseKind>(safeId: string, browse: BrowseQuery<Kind>, accountId = NOBODY) {
    return this.#ask(accountId, 'browse', safeId, browse as BrowseQuery) as Promise<Browsed<Kind>>
  }

  /** Searches for duplicates, which may take seconds. Throws like `open`. */
  duplicates(safeId: string, query: DuplicatesQuery, accountId = NOBODY) {
    return this.#ask(accountId, 'duplicates', safeId, query)
  }

  close(): Promise<void> {
    this.#closed = true
    return this.#pool.end()
  }

  async #ask<Of extends Name>(
    accountId: string,
    name: Of,
    ...args: Parameters<IndexJobs[Of]>
  ): Promise<Result<Of>> {
    for (;;) {
      const end = await this.#turns.take(accountId, NEVER)
      try {
        return (await this.#result({ name, args }).finally(end)) as Result<Of>
      } catch (error) {
        if (!(error instanceof BuiltElsewhere)) throw this.#failureOf(error, args[0])
      }
      await sleep(ELSEWHERE_MS)
    }
  }

  async #result(job: IndexWork['job']): Promise<unknown> {
    if (this.#closed) throw new Lost('stopped')
    return this.#pool.result(job)
  }

  #failureOf(error: unknown, safeId: string): unknown {
    if (!(error instanceof Lost)) return error
    if (this.#closed) return new Unavailable('the service is closing')
    return new Unavailable(`Building the index of Safe ${safeId} ${HOW[error.how]}.`, { cause: error })
  }
}

const HOW: Record<Lost['how'], string> = {
  silent: 'took too long',
  memory: 'took too much memory',
  error: 'failed',
  exit: 'ended its thread',
  stopped: 'was stopped',
}
