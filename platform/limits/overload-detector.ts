/** While requests arrive, a new probe is sent at this interval unless one is in flight. Milliseconds, as all below. */
export const TICK_MS = 20
/** After this many ticks without a request, probing stops. */
const IDLE_TICKS = 50
/** A probe that takes longer than this has found a queue. */
const LATE_MS = 100
/** A queue that persists this long is overload. A shorter one follows a pause, such as garbage collection. */
const OVERLOAD_AFTER_MS = 400
/**
 * The queue has cleared once probes return on time for this long. A single probe may return early between
 * requests and their work.
 */
const CLEARED_AFTER_MS = 200
/** Target length of a round, from probe to probe, during overload. */
const TARGET_ROUND_MS = 50
/** Slots per round when overload begins. */
const INITIAL_SLOTS = 50
/** The share of slots open to senders over their fair share. */
const OVER_SHARE_PART = 0.2
/** The share of slots open to unverified senders: one attacker may use any number of addresses. */
const UNVERIFIED_PART = 0.5
/** The number of slots never falls below this. */
const MIN_SLOTS = 10
/** A round gains one slot each time this much passes. */
const EXTRA_SLOT_MS = 50
/** Overload ends after this long without a rejection. */
const RECOVERED_AFTER_MS = 300

/**
 * Detects overload with a self-probe. Requests wait in the kernel, where their waiting time cannot be read,
 * but a probe sent through the same queue returns only after everything that arrived before it was read. A
 * request read while a probe is in flight has therefore waited at least as long as the probe
 * (docs/decisions/0019).
 */
export class OverloadDetector {
  readonly #sendProbe: () => void
  /** When the probe in flight was sent. */
  #probeSentAt: number | null = null
  #probeReturnedAt = 0
  /**
   * When the previous probe returned, so that work between two probes counts; when this one was sent if there
   * was no work.
   */
  #roundStartedAt = 0
  /** When the first probe of the current run of late probes returned. */
  #lateSince: number | null = null
  #lastLateAt = 0
  #roundMs = 0
  /** Whether the last round was late and no shorter than the one before. */
  #isGrowing = false
  #lastRejectionAt = 0
  #hasRejected = false
  /** Requests admitted in this round. */
  #admitted = 0
  /** Requests that a round admits, adjusted so that it takes `TARGET_ROUND_MS`. */
  #slots = INITIAL_SLOTS
  /** Ticks since the last request. Ticks rather than milliseconds, because work may block for seconds. */
  #idleTicks = IDLE_TICKS
  isOverloaded = false

  /** `sendProbe` sends a probe whose reader calls `probeReturned`. */
  constructor(sendProbe: () => void) {
    this.#sendProbe = sendProbe
  }

  /** Called every `TICK_MS`, later when the event loop is busy. Returns false if no request came for long. */
  tick(now: number): boolean {
    const isProbing = this.#idleTicks < IDLE_TICKS && ++this.#idleTicks < IDLE_TICKS
    if (isProbing) this.#probe(now)
    return isProbing
  }

  probeReturned(now: number): void {
    const roundMs = now - this.#roundStartedAt
    this.#isGrowing = roundMs > LATE_MS && roundMs >= this.#roundMs
    this.#roundMs = roundMs
    this.#probeSentAt = null
    this.#probeReturnedAt = now
    if (roundMs > LATE_MS) {
      this.#lateSince ??= now
      this.#lastLateAt = now
    } else if (now - this.#lastLateAt > CLEARED_AFTER_MS) this.#lateSince = null
    const scale = Math.max(0.5, TARGET_ROUND_MS / roundMs)
    if (scale < 1) this.#slots = Math.max(MIN_SLOTS, this.#slots * scale)
    else if (this.#hasRejected) this.#slots *= Math.min(1.25, scale)
    if (this.#hasRejected) this.#lastRejectionAt = now
    else if (now - this.#lastRejectionAt > RECOVERED_AFTER_MS) this.isOverloaded = false
    this.#hasRejected = false
  }

  /** Whether to reject a request that is read now. */
  shouldShed(now: number, isOverShare: boolean, isVerified: boolean): boolean {
    const waitedMs = this.#probe(now)
    this.#idleTicks = 0
    if (!this.isOverloaded) {
      const isQueuePersistent = this.#lateSince !== null && now - this.#lateSince > OVERLOAD_AFTER_MS
      if (!isQueuePersistent || (now - this.#roundStartedAt <= LATE_MS && !this.#isGrowing)) return false
      this.isOverloaded = true
      this.#slots = INITIAL_SLOTS
      this.#lastRejectionAt = now
    }
    const part = this.#slots * (isVerified ? 1 : UNVERIFIED_PART)
    const slots = isOverShare ? this.#slots * OVER_SHARE_PART : part + Math.floor(waitedMs / EXTRA_SLOT_MS)
    if (this.#admitted < slots) {
      this.#admitted++
      return false
    }
    this.#hasRejected = true
    return true
  }

  /** Sends a probe unless one is in flight. @returns how long the probe has been in flight */
  #probe(now: number): number {
    if (this.#probeSentAt !== null) return now - this.#probeSentAt
    this.#roundStartedAt = this.#idleTicks < IDLE_TICKS ? this.#probeReturnedAt : now
    this.#probeSentAt = now
    this.#admitted = 0
    this.#sendProbe()
    return 0
  }
}
