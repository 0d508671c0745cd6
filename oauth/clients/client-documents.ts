import { LRUCache } from 'lru-cache'
import type { Clock } from '../../common/clock.js'
import { DomainError } from '../../common/domain-error.js'
import { DAY_MS, MINUTE_MS } from '../lifetime.js'
import type { Client } from './client.js'
import { DocumentError, documentIdProblem, readDocument } from './client-document.js'
import type { FetchDocument } from './document-fetch.js'

/** How long a document is taken as it is, whatever its headers say (RULES D3). */
const SHORTEST_MS = 30_000
const LONGEST_MS = DAY_MS
/** When its headers say nothing; what Claude and ChatGPT say of theirs. */
const USUAL_MS = 5 * MINUTE_MS
/** How long a copy helps out while its document cannot be fetched. */
const STALE_MS = 30 * DAY_MS
const FAILURE_MS = 30_000
/** Documents (each below 10 KiB in memory), and as many failures. */
const MOST_KEPT = 500
/** Whoever wants us to trouble others, or to be too busy for our own users, gets no further than this. */
const MOST_AT_ONCE = 16
const MOST_PER_MINUTE = 120

/** Clients that are described by documents at their own addresses (RULES D). */
export interface ClientDocuments {
  /**
   * The client that the document at `id` describes. A pinned document answers for what it `covers`; for anything else
   * its publisher is asked, who may have changed it since.
   * @throws DocumentError; DomainError 503 when too many documents are asked for at once
   */
  find(id: string, covers: (client: Client) => boolean): Promise<Client>
  /** What is at hand of it, without asking anybody; null: nothing. */
  cached(id: string): Client | null
}

export interface ClientDocumentsOptions {
  /** Documents that came with the service, by id. */
  pinned: ReadonlyMap<string, Client>
  fetchDocument: FetchDocument
  /** The client as it was when a user last approved it. */
  approved(id: string): Promise<Client | null>
  clock: Clock
  /** Told once of every document that could not be used, and why. */
  onFailure(id: string, error: DocumentError): void
}

export function createClientDocuments(options: ClientDocumentsOptions): ClientDocuments {
  const { pinned, fetchDocument, approved, clock, onFailure } = options
  const kept = new LRUCache<string, { client: Client; freshUntil: number }>({ max: MOST_KEPT })
  const failures = new LRUCache<string, { error: DocumentError; until: number }>({ max: MOST_KEPT })
  const underWay = new Map<string, Promise<Client>>()
  const budget = new Budget(clock)

  /** One request however many wait for it, and none soon after a failure. */
  async function published(id: string): Promise<Client> {
    const failure = failures.get(id)
    if (failure && clock() < failure.until) throw failure.error
    const begun = underWay.get(id)
    if (begun) return begun
    budget.take(underWay.size)
    const begins = read(id).finally(() => underWay.delete(id))
    underWay.set(id, begins)
    return begins
  }

  async function read(id: string): Promise<Client> {
    try {
      const { json, freshForSeconds } = await fetchDocument(id)
      const client = readDocument(id, json, clock())
      kept.set(id, { client, freshUntil: clock() + lifeOf(freshForSeconds) })
      failures.delete(id)
      return client
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      failures.set(id, { error, until: clock() + FAILURE_MS })
      if (error.withdrawn) kept.delete(id)
      onFailure(id, error)
      throw error
    }
  }

  async function earlierCopy(id: string): Promise<Client | null> {
    const copy = kept.get(id)?.client ?? (await approved(id))
    return copy && clock() < copy.createdAt + STALE_MS ? copy : (pinned.get(id) ?? null)
  }

  return {
    async find(id, covers) {
      const problem = documentIdProblem(id)
      if (problem) throw new DocumentError(problem)
      const shipped = pinned.get(id)
      if (shipped && covers(shipped)) return shipped
      const copy = kept.get(id)
      if (copy && clock() < copy.freshUntil) return copy.client
      try {
        return await published(id)
      } catch (error) {
        const earlier = isWithdrawal(error) ? null : await earlierCopy(id)
        if (earlier) return earlier
        throw error
      }
    },

    cached: id => kept.get(id)?.client ?? pinned.get(id) ?? null,
  }
}

const isWithdrawal = (error: unknown) => error instanceof DocumentError && error.withdrawn

const lifeOf = (seconds: number | null) =>
  seconds === null ? USUAL_MS : Math.min(Math.max(seconds * 1000, SHORTEST_MS), LONGEST_MS)

/** How many requests we make: at once, and from one minute to the next. */
class Budget {
  readonly #clock: Clock
  #minuteEnds = 0
  #made = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws DomainError 503 when it is used up; `underWay` requests have no answer yet */
  take(underWay: number): void {
    const now = this.#clock()
    if (now >= this.#minuteEnds) {
      this.#minuteEnds = now + MINUTE_MS
      this.#made = 0
    }
    if (underWay >= MOST_AT_ONCE) throw tooMany(5)
    if (this.#made >= MOST_PER_MINUTE) throw tooMany(Math.ceil((this.#minuteEnds - now) / 1000))
    this.#made++
  }
}

const tooMany = (seconds: number) =>
  new DomainError(
    503,
    'temporarily_unavailable',
    `Many apps are asking for access at the moment. Please try again in ${seconds} s.`,
    seconds,
  )
