import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../platform/common/clock.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { DAY_MS, MINUTE_MS } from '../../../platform/common/durations.js'
import { Part } from '../../part.js'
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

/**
 * Clients that are identified by the URL of their metadata document (RULES D). Documents are fetched at most once at a
 * time, within a budget, and cached (ADR 1).
 */
export class ClientDocuments extends Part<ClientDocumentsOptions> {
  readonly #cache = new LRUCache<string, { client: Client; freshUntil: number }>({ max: MAX_CACHED })
  readonly #failures = new LRUCache<string, { error: DocumentError; until: number }>({ max: MAX_CACHED })
  readonly #inFlight = new Map<string, Promise<Client>>()
  readonly #budget = new FetchBudget(this.dependencies.clock)

  /**
   * Returns the client that the document at `id` describes. A bundled document is used if it `covers` the
   * request; otherwise the current document is fetched, because it may have changed.
   * @throws DocumentError; DomainError 503 if too many documents are being fetched
   */
  async find(id: string, covers: (client: Client) => boolean): Promise<Client> {
    const problem = documentIdProblem(id)
    if (problem) throw new DocumentError(problem)
    const { pinned, clock } = this.dependencies
    const bundled = pinned.get(id)
    if (bundled && covers(bundled)) return bundled
    const copy = this.#cache.get(id)
    if (copy && clock() < copy.freshUntil) return copy.client
    try {
      return await this.#published(id)
    } catch (error) {
      const isWithdrawn = error instanceof DocumentError && error.withdrawn
      const earlier = isWithdrawn ? null : await this.#earlierCopy(id)
      if (earlier) return earlier
      throw error
    }
  }

  /** Returns a cached or bundled document without fetching, or null. */
  cached(id: string): Client | null {
    return this.#cache.get(id)?.client ?? this.dependencies.pinned.get(id) ?? null
  }

  /** Concurrent callers share one request. After a failure, there is no new request for `FAILURE_MS`. */
  async #published(id: string): Promise<Client> {
    const failure = this.#failures.get(id)
    if (failure && this.dependencies.clock() < failure.until) throw failure.error
    const earlier = this.#inFlight.get(id)
    if (earlier) return earlier
    this.#budget.take(this.#inFlight.size)
    const fetching = this.#read(id).finally(() => this.#inFlight.delete(id))
    this.#inFlight.set(id, fetching)
    return fetching
  }

  async #read(id: string): Promise<Client> {
    const { fetchDocument, clock, onFailure } = this.dependencies
    try {
      const { json, freshForSeconds } = await fetchDocument(id)
      const client = readDocument(id, json, clock())
      this.#cache.set(id, { client, freshUntil: clock() + lifeOf(freshForSeconds) })
      this.#failures.delete(id)
      return client
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error
      this.#failures.set(id, { error, until: clock() + FAILURE_MS })
      if (error.withdrawn) this.#cache.delete(id)
      onFailure(id, error)
      throw error
    }
  }

  async #earlierCopy(id: string): Promise<Client | null> {
    const { pinned, approved, clock } = this.dependencies
    const copy = this.#cache.get(id)?.client ?? (await approved(id))
    return copy && clock() < copy.createdAt + STALE_MS ? copy : (pinned.get(id) ?? null)
  }
}

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
