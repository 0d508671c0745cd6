import { setTimeout as sleep } from 'node:timers/promises'
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
import { Lost, Pool } from '../../../platform/processes/pool.js'
import { Thread } from '../../../platform/processes/thread.js'
import type { DatabaseLocation } from '../../../platform/storage/database.js'
import { buildingFailed } from './build-process.js'
import { BuiltElsewhere, type OpenFrom } from './index-build.js'
import type { IndexJobs } from './index-worker.js'

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

const startIndexing = (place: DatabaseLocation, { heapMb }: IndexThreadLimits) =>
  new Thread('index-worker', import.meta.url, place, { maxOldGenerationSizeMb: heapMb })

/** Jobs without an account share one turn. */
const NOBODY = ''
const NEVER = new AbortController().signal

/**
 * The thread that opens indexes (`index-worker.ts`), started on demand. A separate process builds them
 * (`build-process.ts`). Accounts take turns. A job that makes the thread hang or die fails; the next has a new thread.
 */
export class IndexThread {
  readonly #pool: Pool<IndexWork, Thread>
  readonly #turns = new AccountTurns(() => false)
  #closed = false

  constructor(place: DatabaseLocation, limits = LIMITS, start = startIndexing) {
    this.#pool = new Pool({
      start: () => start(place, limits),
      silentMs: limits.silentMs,
      idleMs: IDLE_MS,
      errors: [DomainError, Unavailable, BuiltElsewhere],
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
        if (this.#closed) throw new Lost('stopped')
        return (await this.#pool.result({ name, args })) as Result<Of>
      } catch (error) {
        if (this.#closed && error instanceof Lost) throw new Unavailable('the service is closing')
        if (!(error instanceof BuiltElsewhere)) throw buildingFailed(error, args[0])
      } finally {
        end()
      }
      await sleep(ELSEWHERE_MS)
    }
  }
}
