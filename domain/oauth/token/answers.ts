import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../platform/common/clock.js'
import { CONNECTION_BATCH_SIZE, type GrantStore, type Issued, type RepeatWindow } from '../stores/types.js'

/** How long a code or refresh token whose request was not answered may be presented again. */
const REPEAT_UNTIL_MS = 60_000
/** Minimum wait before: another process may be about to answer. Well above `SETTLE_MS`, and below the `Retry-After` of a 503. */
const REPEAT_FROM_MS = 1000
/** Answers are recorded in batches. */
const SETTLE_MS = 100
const MAX_REMEMBERED = 100_000

/** `at`: the time of the request. */
type Answered = Issued & { at: number }

/**
 * Decides which codes and refresh tokens may be presented again to get the same pair: only if the first request was not
 * answered, because the store was unavailable or the process was killed. Answered ones work once, or for `graceSeconds`
 * (decision 2).
 */
export class TokenAnswers {
  readonly #grants: Pick<GrantStore, 'settle'>
  readonly #graceMs: number
  readonly #clock: Clock
  /** Hashes of codes and refresh tokens whose outcome is unknown. */
  readonly #unknown = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: REPEAT_UNTIL_MS })
  /** Answered, but not yet recorded in the store. */
  readonly #unsettled = new Map<string, Answered>()
  #timer: NodeJS.Timeout | undefined

  constructor(grants: Pick<GrantStore, 'settle'>, graceSeconds: number, clock: Clock) {
    this.#grants = grants
    this.#graceMs = graceSeconds * 1000
    this.#clock = clock
  }

  /** When a code or refresh token may be presented again, counted from its use. */
  windowFor(presentedHash: string): RepeatWindow {
    if (this.#unsettled.has(presentedHash)) return { fromMs: 0, untilMs: this.#graceMs }
    const isAtOnce = this.#unknown.has(presentedHash) || this.#graceMs > 0
    return { fromMs: isAtOnce ? 0 : REPEAT_FROM_MS, untilMs: Math.max(REPEAT_UNTIL_MS, this.#graceMs) }
  }

  /** Consumes a code or refresh token in the store. After an error, it may or may not have been consumed. */
  async ask<T>(presentedHash: string, consume: () => Promise<T>): Promise<T> {
    try {
      return await consume()
    } catch (error) {
      this.#unknown.set(presentedHash, true)
      throw error
    }
  }

  /** Tokens were issued for this code or refresh token, and are being sent. */
  answered(presentedHash: string, issued: Answered): void {
    if (this.#unknown.size > 0) this.#unknown.delete(presentedHash)
    if (this.#unsettled.size >= MAX_REMEMBERED) return
    this.#unsettled.set(presentedHash, issued)
    this.#timer ??= setTimeout(() => void this.settle(), SETTLE_MS).unref()
  }

  /** Records the answers so far, after which other processes also refuse a repeat. Does not reject. */
  async settle(): Promise<void> {
    const now = this.#clock()
    const due = [...this.#unsettled].filter(([, { at }]) => now - at >= this.#graceMs)
    for (let i = 0; i < due.length; i += CONNECTION_BATCH_SIZE) {
      const batch = due.slice(i, i + CONNECTION_BATCH_SIZE)
      const settling = this.#grants.settle(batch.map(([, issued]) => issued))
      const isSettled = await settling.then(() => true).catch(() => false)
      for (const [hash, { at }] of batch)
        if (isSettled || now - at > REPEAT_UNTIL_MS) this.#unsettled.delete(hash)
    }
    this.#timer = undefined
    if (this.#unsettled.size > 0) this.#timer = setTimeout(() => void this.settle(), SETTLE_MS).unref()
  }

  /** Records the last answers. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.settle()
    clearTimeout(this.#timer)
  }
}
