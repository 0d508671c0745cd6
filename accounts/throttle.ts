import { addressBlock } from '../common/client-address.js'
import type { Clock } from '../common/clock.js'
import { DomainError } from '../common/domain-error.js'
import { hashSecret } from '../common/secrets.js'
import type { ThrottleStore } from './stores/types.js'

const WINDOW_MS = 15 * 60_000
const WRONG_PER_ADDRESS = 10
/** An address that has used them up may try once in this time. */
const PAUSE_MS = 60_000
const PROMPT_PER_ACCOUNT = 5
const LONGEST_DELAY_MS = 2000

export interface SignInAttempt {
  /** Milliseconds to wait before the password is looked at. */
  delay: number
  /** The password was right: gives the address its place back and forgets the account's failures. */
  succeeded(): Promise<void>
  /** The password was not looked at. */
  abandoned(): Promise<void>
}

/**
 * Slows guessing down (RULES C9): an address gets ten wrong passwords in 15 minutes and then one a minute, and an
 * account answers ever more slowly, but is never locked, because then anybody could lock anybody out.
 */
export class SignInThrottle {
  readonly #store: ThrottleStore
  readonly #clock: Clock

  constructor(store: ThrottleStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /**
   * Counts an attempt before its password is hashed, so that parallel guesses cannot slip through.
   * @throws DomainError 429 when the address has failed too often
   */
  async reserve(email: string, address: string): Promise<SignInAttempt> {
    const block = addressBlock(address)
    const addressKey = `address:${block}`
    await this.#takeForAddress(addressKey, `pause:${block}`)
    const accountKey = `account:${hashSecret(email)}`
    const failures = (await this.#take(accountKey, Number.MAX_SAFE_INTEGER, WINDOW_MS)).count - 1
    return {
      delay:
        failures < PROMPT_PER_ACCOUNT
          ? 0
          : Math.min(LONGEST_DELAY_MS, 125 * 2 ** (failures - PROMPT_PER_ACCOUNT)),
      succeeded: async () => {
        await Promise.all([this.#store.giveBack(addressKey), this.#store.clear(accountKey)])
      },
      abandoned: async () => {
        await Promise.all([this.#store.giveBack(addressKey), this.#store.giveBack(accountKey)])
      },
    }
  }

  async #takeForAddress(addressKey: string, pauseKey: string): Promise<void> {
    const place = await this.#take(addressKey, WRONG_PER_ADDRESS, WINDOW_MS)
    if (place.taken) {
      if (place.count === WRONG_PER_ADDRESS) await this.#take(pauseKey, 1, PAUSE_MS)
      return
    }
    const turn = await this.#take(pauseKey, 1, PAUSE_MS)
    if (turn.taken) return
    const seconds = Math.min(60, Math.max(1, Math.ceil(turn.freeIn / 1000)))
    const message = `Too many wrong passwords from your address. Please try again in ${seconds} s.`
    throw new DomainError(429, 'too_many_attempts', message, seconds)
  }

  #take(key: string, limit: number, windowMs: number) {
    return this.#store.take(key, limit, windowMs, this.#clock())
  }
}
