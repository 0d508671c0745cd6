import type { Clock } from '../../platform/common/clock.js'
import { inSlices } from '../../platform/storage/slices.js'
import { Part } from '../part.js'
import type { NewEntry, StoredEntry } from './entry.js'
import { entryIds } from './entry-id.js'

/** Entries written in one transaction, which takes about two milliseconds. */
const BATCH_SIZE = 256
/** Maximum entries kept while the store is unavailable: usually a few megabytes, at most 50. */
const MAX_PENDING = 5000

interface RecorderDependencies {
  /** Writes entries in one transaction. Existing entries are left alone. */
  write(entries: readonly StoredEntry[]): Promise<void>
  clock: Clock
  /** A few letters that differ between processes. */
  process: string
  /** The store became unavailable. Called once, until a write succeeds again. */
  onUnavailable(error: unknown): void
  /** The store is available again, or the service stops; with the number of oldest entries dropped in the meantime. */
  onDropped(count: number): void
  /** Default: 5,000. */
  maxPending?: number
}

/**
 * Keeps entries in memory until the next flush, so that no question waits for the disk. A process that is killed
 * loses the entries since its last flush.
 */
export class Recorder extends Part<Required<RecorderDependencies>> {
  readonly #newId: (at: number) => string
  #pending: StoredEntry[] = []
  #dropped = 0
  #unavailable = false
  #flushing: Promise<void> | null = null

  constructor(dependencies: RecorderDependencies) {
    super({ maxPending: MAX_PENDING, ...dependencies })
    this.#newId = entryIds(dependencies.process)
  }

  record(entry: NewEntry): void {
    const { question = null } = entry
    const id = this.#newId(this.dependencies.clock())
    this.#pending.push({ ...NOTHING, ...entry, id, question: question && keptQuestion(question) })
    if (this.#pending.length >= this.dependencies.maxPending + BATCH_SIZE) this.#dropOldest()
    if (this.#pending.length >= BATCH_SIZE && !this.#unavailable) void this.flush()
  }

  /**
   * Writes everything recorded so far in batches, with pauses for other writers. Entries that cannot be written stay
   * for the next flush. Never rejects.
   */
  async flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = null
    })
    return this.#flushing
  }

  /** Writes the remaining entries. */
  async close(): Promise<void> {
    // A flush in progress may have begun before the latest entries.
    await this.flush()
    await this.flush()
    this.#dropped += this.#pending.length
    this.#pending = []
    this.#reportDropped()
  }

  async #flush(): Promise<void> {
    const { write, onUnavailable } = this.dependencies
    this.#dropOldest()
    await inSlices(async () => {
      const batch = this.#pending.splice(0, BATCH_SIZE)
      if (batch.length === 0) return false
      try {
        await write(batch)
      } catch (error) {
        this.#pending = [...batch, ...this.#pending]
        this.#dropOldest()
        if (!this.#unavailable) onUnavailable(error)
        this.#unavailable = true
        return false
      }
      this.#unavailable = false
      this.#reportDropped()
      return this.#pending.length > 0
    })
  }

  #dropOldest(): void {
    const excess = this.#pending.length - this.dependencies.maxPending
    if (excess <= 0) return
    this.#pending.splice(0, excess)
    this.#dropped += excess
  }

  #reportDropped(): void {
    if (this.#dropped > 0) this.dependencies.onDropped(this.#dropped)
    this.#dropped = 0
  }
}

const NOTHING = {
  ...{ safeId: null, connectionId: null, detail: null, readJson: null },
  ...{ facts: 0, passages: 0, documents: [] },
}

const MAX_CHARACTERS = 1000

/** A token or code of this service with any BRAND, in case an assistant puts its own into a question. */
const SECRET = /(?<![a-z0-9])[a-z0-9]+_(?:ac|at|rt)_[0-9A-Za-z_]+/g

/** The stored text of a question: without secrets (RULES S1) and cut to 1,000 characters. */
function keptQuestion(text: string): string {
  const safe = text.slice(0, 2 * MAX_CHARACTERS).replace(SECRET, '[removed]')
  return safe.length > MAX_CHARACTERS ? `${safe.slice(0, MAX_CHARACTERS - 1)}…` : safe
}
