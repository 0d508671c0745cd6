import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { SafeContent } from './content.js'

/**
 * How long questions wait for the newest index, counted from the first one, before an older index answers.
 * All but large Safes are read within this time, so the first question already sees imports of another
 * process.
 */
const PATIENCE_MS = 500

/** Memory in use, and how often a question found the newest index, an older one, or none. */
export interface IndexStatistics {
  bytes: number
  safes: number
  newest: number
  older: number
  none: number
}

/** A version being opened. */
interface Flight {
  opening: Promise<SafeContent>
  /** Resolves when questions stop waiting and use an older version. */
  patience: Promise<void>
}

/**
 * Contents of Safes in memory. Each is opened once, on the first request, for all that wait for it; the least
 * recently used are evicted when they exceed the limit. While a new version is opened, the previous one
 * answers. Failures are not cached.
 */
export class IndexCache {
  readonly #open: (safeId: string, accountId?: string) => Promise<SafeContent>
  readonly #kept: LRUCache<string, SafeContent>
  readonly #opening = new Map<string, Flight>()
  /** Contents that have answered a question. */
  readonly #asked = new WeakSet<SafeContent>()
  readonly #found = { newest: 0, older: 0, none: 0 }

  constructor(open: (safeId: string, accountId?: string) => Promise<SafeContent>, maxBytes: number) {
    this.#open = open
    // A content larger than the limit is kept alone; the cache does not accept a size of 0.
    const sizeCalculation = ({ bytes }: SafeContent) => Math.min(Math.max(bytes, 1), maxBytes)
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation })
  }

  get statistics(): IndexStatistics {
    return { bytes: this.#kept.calculatedSize, safes: this.#kept.size, ...this.#found }
  }

  /** The content of this Safe at `version`: a newer one if it has changed since, an older one if opening takes long. */
  async get(safeId: string, version: number, accountId?: string): Promise<SafeContent> {
    const kept = this.#kept.get(safeId)
    const isNewest = kept !== undefined && kept.committed.version >= version
    this.#found[isNewest ? 'newest' : kept ? 'older' : 'none']++
    const content = isNewest ? kept : await this.#opened(kept, this.#flight(safeId, version, accountId))
    this.#asked.add(content)
    return content
  }

  /** Whether the content in memory has answered a question. */
  isAsked(safeId: string): boolean {
    const kept = this.#kept.peek(safeId)
    return kept !== undefined && this.#asked.has(kept)
  }

  /** The content in memory, of any version. Does not count as a use of it. */
  peek(safeId: string): SafeContent | null {
    return this.#kept.peek(safeId) ?? null
  }

  /** Like `get`, but waits for at least this version. */
  async newest(safeId: string, version: number, accountId?: string): Promise<SafeContent> {
    const kept = this.#kept.peek(safeId)
    if (kept && kept.committed.version >= version) return kept
    return this.#flight(safeId, version, accountId).opening
  }

  /** Adds a content that was opened in advance, unless a newer one is cached. */
  keep(safeId: string, content: SafeContent): void {
    const kept = this.#kept.peek(safeId)
    if (kept && kept.committed.version > content.committed.version) return
    this.#kept.set(safeId, content)
  }

  /** Discards a removed Safe. */
  drop(safeId: string): void {
    this.#kept.delete(safeId)
  }

  #opened(kept: SafeContent | undefined, { opening, patience }: Flight): Promise<SafeContent> {
    return kept ? Promise.race([opening, patience.then(() => kept)]) : opening
  }

  /** The one in progress, or a new one. */
  #flight(safeId: string, version: number, accountId?: string): Flight {
    const name = `${safeId} ${version}`
    const known = this.#opening.get(name)
    if (known) return known
    const opening = this.#open(safeId, accountId)
      .then(content => {
        this.keep(safeId, content)
        return content
      })
      .finally(() => this.#opening.delete(name))
    // Questions answered by an older version do not wait for this; the next question retries.
    opening.catch(() => {})
    const flight = { opening, patience: sleep(PATIENCE_MS) }
    this.#opening.set(name, flight)
    return flight
  }
}
