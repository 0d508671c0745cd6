import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../platform/common/clock.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { DAY_MS, MINUTE_MS } from '../../../platform/common/durations.js'
import { oauthTexts } from '../texts.js'
import type { Client } from './client.js'
import { DocumentError, documentIdProblem, readDocument } from './client-document.js'
import type { FetchDocument } from './document-fetch.js'

/** Limits for the freshness lifetime in the response headers (RULES D3). */
const MIN_FRESH_MS = 30_000
const MAX_FRESH_MS = DAY_MS
/** The lifetime if the headers have none. Claude and ChatGPT send the same value. */
const DEFAULT_FRESH_MS = 5 * MINUTE_MS
/** How long a copy may be used while its document cannot be fetched. */
const STALE_MS = 30 * DAY_MS
const FAILURE_MS = 30_000
/** Cache size for documents (each below 10 KiB in memory) and for failures. */
const MAX_CACHED = 500
/** Limits outgoing requests, so that the service cannot be used to attack others or be kept busy. */
const MAX_CONCURRENT = 16
const MAX_PER_MINUTE = 120

/** Clients that are identified by the URL of their metadata document (RULES D). */
export interface ClientDocuments {
  /**
   * Returns the client that the document at `id` describes. A bundled document is used if it `covers` the
   * request; otherwise the current document is fetched, because it may have changed.
   * @throws DocumentError; DomainError 503 if too many documents are being fetched
   */
  find(id: string, covers: (client: Client) => boolean): Promise<Client>
  /** Returns a cached or bundled document without fetching, or null. */
  cached(id: string): Client | null
}

export interface ClientDocumentsOptions {
  /** Documents bundled with the service, by id. */
  pinned: ReadonlyMap<string, Client>
  fetchDocument: FetchDocument
  /** Finds the client as it was when a user last approved it. */
  approved(id: string): Promise<Client | null>
  clock: Clock
  /** Called for each failed fetch, with its reason. */
  onFailure(id: string, error: DocumentError): void
}

/** Client metadata documents, fetched at most once at a time, within a budget, and cached (ADR 1). */
export function createClientDocuments(options: ClientDocumentsOptions): ClientDocuments {
  const { pinned, fetchDocument, approved, clock, onFailure } = options
  const cache = new LRUCache<string, { client: Client; freshUntil: number }>({ max: MAX_CACHED })
  const failures = new LRUCache<string, { error: DocumentError; until: number }>({ max: MAX_CACHED })
  const inFlight = new Map<string, Promise<Client>>()
  const budget = new FetchBudget(clock)

  /** Concurrent callers share one request. After a failure, there is no new request for `FAILURE_MS`. */
  async function published(id: string): Promise<Client> {
    const failure = failures.get(id)
    if (failure && clock() < failure.until) throw failure.error
    const earlier = inFlight.get(id)
    if (earlier) return earlier
    budget.take(inFlight.size)
    const fetching = read(id).finally(() => inFlight.delete(id))
    inFlight.set(id, fetching)
    return fetching
  }

  async function read(id: string): Promise<Client> {
    try {
      const { json, freshForSeconds } = await fetchDocument(id)
      const client = readDocument(id, json, clock())
      cache.set(id, { client, freshUntil: clock() + lifeOf(freshForSeconds) })
      failures.delete(id)
      return client
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      failures.set(id, { error, until: clock() + FAILURE_MS })
      if (error.withdrawn) cache.delete(id)
      onFailure(id, error)
      throw error
    }
  }

  async function earlierCopy(id: string): Promise<Client | null> {
    const copy = cache.get(id)?.client ?? (await approved(id))
    return copy && clock() < copy.createdAt + STALE_MS ? copy : (pinned.get(id) ?? null)
  }

  return {
    async find(id, covers) {
      const problem = documentIdProblem(id)
      if (problem) throw new DocumentError(problem)
      const bundled = pinned.get(id)
      if (bundled && covers(bundled)) return bundled
      const copy = cache.get(id)
      if (copy && clock() < copy.freshUntil) return copy.client
      try {
        return await published(id)
      } catch (error) {
        const earlier = isWithdrawal(error) ? null : await earlierCopy(id)
        if (earlier) return earlier
        throw error
      }
    },

    cached: id => cache.get(id)?.client ?? pinned.get(id) ?? null,
  }
}

const isWithdrawal = (error: unknown) => error instanceof DocumentError && error.withdrawn

const lifeOf = (seconds: number | null) =>
  seconds === null ? DEFAULT_FRESH_MS : Math.min(Math.max(seconds * 1000, MIN_FRESH_MS), MAX_FRESH_MS)

/** Limits outgoing requests: concurrently and per minute. */
class FetchBudget {
  readonly #clock: Clock
  #minuteEnds = 0
  #made = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws DomainError 503 if the budget is exhausted. `inFlight` requests have not been answered yet. */
  take(inFlight: number): void {
    const now = this.#clock()
    if (now >= this.#minuteEnds) {
      this.#minuteEnds = now + MINUTE_MS
      this.#made = 0
    }
    if (inFlight >= MAX_CONCURRENT) throw tooMany(5)
    if (this.#made >= MAX_PER_MINUTE) throw tooMany(Math.ceil((this.#minuteEnds - now) / 1000))
    this.#made++
  }
}

const tooMany = (seconds: number) =>
  new DomainError(503, 'temporarily_unavailable', oauthTexts.busy(seconds), seconds)
