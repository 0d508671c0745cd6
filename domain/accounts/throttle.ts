import { setTimeout as pause } from 'node:timers/promises'
import { addressBlock } from '../../platform/common/client-address.js'
import { DAY_MS } from '../../platform/common/durations.js'
import { hashSecret } from '../../platform/common/secrets.js'
import type { ThrottleStore } from '../../platform/limits/throttle-store.js'
import { accountErrors } from './errors.js'

const WINDOW_MS = 15 * 60_000
const MAX_FAILURES_PER_ADDRESS = 10
/** An address without attempts left may try once per pause. */
const PAUSE_MS = 60_000
const UNDELAYED_FAILURES_PER_ACCOUNT = 5
const MAX_DELAY_MS = 2000
const ACCOUNTS_PER_DAY = 10

interface SignInAttempt {
  /** Earlier failures of the account in the last 15 minutes. */
  failures: number
  /** The password was correct: uncounts the attempt of the address and clears the failures of the account. */
  succeeded(): Promise<void>
  /** The password was not checked: uncounts the attempt. */
  abandoned(): Promise<void>
}

/**
 * Slows down password guessing (RULES C9). An address may fail ten times in 15 minutes and then once a
 * minute. An account responds more slowly after each failure but is never locked, because then anyone could
 * lock it.
 */
export class SignInThrottle {
  readonly #store: ThrottleStore
  readonly #sleep: (ms: number) => Promise<unknown>

  constructor(store: ThrottleStore, sleep: (ms: number) => Promise<unknown> = pause) {
    this.#store = store
    this.#sleep = sleep
  }

  /**
   * Counts an attempt before hashing its password, so that parallel guesses are counted as well. Resolves when the password
   * may be checked.
   * @throws DomainError 429 when the address has failed too often
   */
  async reserve(email: string, address: string): Promise<SignInAttempt> {
    const addressKey = await this.#countForAddress(address)
    const accountKey = `account:${hashSecret(email)}`
    const failures = (await this.#store.take(accountKey, Number.MAX_SAFE_INTEGER, WINDOW_MS)).count - 1
    const delayed = failures - UNDELAYED_FAILURES_PER_ACCOUNT
    if (delayed >= 0) await this.#sleep(Math.min(MAX_DELAY_MS, 125 * 2 ** delayed))
    return {
      failures,
      succeeded: async () => {
        await Promise.all([this.#store.release(addressKey), this.#store.clear(accountKey)])
      },
      abandoned: async () => {
        await Promise.all([this.#store.release(addressKey), this.#store.release(accountKey)])
      },
    }
  }

  /**
   * Counts an attempt of an address without an account.
   * @throws DomainError 429 when the address has failed too often
   */
  async reserveAddress(address: string): Promise<Pick<SignInAttempt, 'succeeded'>> {
    const addressKey = await this.#countForAddress(address)
    return { succeeded: () => this.#store.release(addressKey) }
  }

  async #countForAddress(address: string): Promise<string> {
    const block = addressBlock(address)
    const addressKey = `address:${block}`
    const pauseKey = `pause:${block}`
    const result = await this.#store.take(addressKey, MAX_FAILURES_PER_ADDRESS, WINDOW_MS)
    if (result.isAllowed) {
      if (result.count === MAX_FAILURES_PER_ADDRESS) await this.#store.take(pauseKey, 1, PAUSE_MS)
      return addressKey
    }
    const turn = await this.#store.take(pauseKey, 1, PAUSE_MS)
    if (turn.isAllowed) return addressKey
    const seconds = Math.min(60, Math.max(1, Math.ceil(turn.resetInMs / 1000)))
    throw accountErrors.wrongPasswords(seconds)
  }
}

/**
 * Limits the accounts that people create for others. All accounts of a chain of invitations have one
 * limit together: otherwise, each account would add its own.
 */
export class NewAccountLimit {
  readonly #store: ThrottleStore

  constructor(store: ThrottleStore) {
    this.#store = store
  }

  /** Counts a new account. `root`: the first account of the chain of invitations. @throws DomainError 429 */
  async take(root: string): Promise<void> {
    const taken = await this.#store.take(keyOf(root), ACCOUNTS_PER_DAY, DAY_MS)
    if (!taken.isAllowed) throw accountErrors.tooManyAccounts(Math.ceil(taken.resetInMs / 1000))
  }

  /** Uncounts an account that was not created after all. */
  release(root: string): Promise<void> {
    return this.#store.release(keyOf(root))
  }
}

const keyOf = (root: string) => `new-accounts:${root}`
