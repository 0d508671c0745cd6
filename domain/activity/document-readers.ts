import type { Clock } from '../../platform/common/clock.js'
import { notFound } from '../../platform/common/domain-error.js'
import { dayOf } from '../../platform/common/durations.js'
import { Part } from '../part.js'
import type { ActivityStore, Assistant } from './stores/activity.sql.js'
import {
  type DayOfReads,
  type DocumentReadStore,
  MAX_PARTS,
  type ReadsOf,
} from './stores/document-reads.sql.js'

/** Days for which reads are counted, if activity is stored that long. */
const DAYS = 30
/** Maximum assistants named as readers, and maximum days of reading from which they are counted. */
const MAX_READERS = 5
const MAX_ROWS = 300
/** Places whose reads are counted at once, and maximum rows of each that are examined. */
const MAX_PLACES = 200
const MAX_ROWS_OF_PLACE = 200
/** Maximum parts of a document that are stored, the latest; earlier reads are not marked. */
const MAX_LISTED_PARTS = 200

/** Passages of an import, by their numbers. */
export interface PartRead {
  importId: number
  first: number
  last: number
}

/** An assistant that read a document. */
interface DocumentReader extends Assistant {
  times: number
  /** Milliseconds since 1970. */
  lastAt: number
  /** The latest first. */
  parts: PartRead[]
}

/** The readers of a document. */
export interface DocumentReads {
  /** The latest reader first. */
  readers: DocumentReader[]
  otherReaders: number
  /** The passages that any of them read. */
  parts: PartRead[]
  /** Number of days. 0: reads are not recorded. */
  days: number
}

interface DocumentReadersDependencies {
  store: Pick<ActivityStore, 'role' | 'assistants'>
  reads: DocumentReadStore
  clock: Clock
  days: number
}

/**
 * Reads of documents by assistants (ADR 43), as far as the activity of the Safe shows them: those of all members for an
 * owner, their own for a reader. Methods throw `notFound` for everybody else (RULES S2).
 */
export class DocumentReaders extends Part<DocumentReadersDependencies> {
  /** Number of days for which reads are counted. 0: not at all. */
  readonly days = Math.min(DAYS, this.dependencies.days)

  /** The readers of the document at this path, and the passages they read. */
  async of(accountId: string, safeId: string, path: string): Promise<DocumentReads> {
    const visible = await this.#visible(accountId, safeId)
    const rows = await this.dependencies.reads.ofDocument(visible, path, MAX_ROWS)
    const byConnection = new Map<string, DayOfReads[]>()
    for (const row of rows)
      byConnection.set(row.connection_id, [...(byConnection.get(row.connection_id) ?? []), row])
    const ids = [...byConnection.keys()].slice(0, MAX_READERS)
    const readers = (await this.dependencies.store.assistants(ids, accountId)).map(
      (assistant): DocumentReader => {
        const days = byConnection.get(assistant.connectionId) ?? []
        return {
          ...assistant,
          times: days.reduce((sum, { times }) => sum + times, 0),
          lastAt: Math.max(...days.map(({ last_at }) => last_at)),
          parts: partsOf(days),
        }
      },
    )
    return {
      readers: readers.sort((one, other) => other.lastAt - one.lastAt),
      otherReaders: byConnection.size - readers.length,
      parts: partsOf(rows),
      days: this.days,
    }
  }

  /**
   * How often each of some documents and folders (ending with a slash) was read. Beyond some two hundred times the
   * counts of folders are too low.
   */
  async timesIn(accountId: string, safeId: string, places: readonly string[]): Promise<Map<string, number>> {
    const visible = await this.#visible(accountId, safeId)
    const some = places.slice(0, MAX_PLACES)
    const times = await this.dependencies.reads.inPlaces(visible, some, MAX_ROWS_OF_PLACE)
    return new Map(some.map((place, at) => [place, times[at] ?? 0]))
  }

  /** The latest reads of documents, the latest first: those with these paths, or the first `limit` of all. */
  async latest(accountId: string, safeId: string, limit: number, paths?: readonly string[]) {
    if (this.days === 0 || paths?.length === 0) return new Map<string, number>()
    return this.dependencies.reads.latest(await this.#visible(accountId, safeId), limit, paths)
  }

  /** Deletes expired reads. */
  sweep(): Promise<void> {
    return this.dependencies.reads.expire(this.#firstDay())
  }

  async #visible(accountId: string, safeId: string): Promise<ReadsOf> {
    const role = await this.dependencies.store.role(accountId, safeId)
    if (role === null) throw notFound('Safe')
    return { safeId, accountId: role === 'owner' ? null : accountId, from: this.#firstDay() }
  }

  /** The first day that is stored completely. */
  readonly #firstDay = () => dayOf(this.dependencies.clock()) - this.days + 1
}

/** The latest first, each once. */
function partsOf(days: readonly DayOfReads[]): PartRead[] {
  const parts = days.flatMap(({ parts }) => {
    const some = parts.split(',')
    // A list that is too long is cut off.
    return parts.length === MAX_PARTS ? some.slice(0, -1) : some
  })
  return [...new Set(parts)].slice(0, MAX_LISTED_PARTS).flatMap(part => {
    const [, importId, first, last] = /^(\d+)\.(\d+)-(\d+)$/.exec(part) ?? []
    return importId === undefined
      ? []
      : [{ importId: Number(importId), first: Number(first), last: Number(last) }]
  })
}
