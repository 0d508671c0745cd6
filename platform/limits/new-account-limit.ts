import { DAY_MS } from '../common/durations.js'
import { limitErrors } from './errors.js'
import type { ThrottleStore } from './throttle-store.js'

const ACCOUNTS_PER_DAY = 10

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
    if (!taken.isAllowed) throw limitErrors.newAccounts(Math.ceil(taken.resetInMs / 1000))
  }

  /** Uncounts an account that was not created after all. */
  release(root: string): Promise<void> {
    return this.#store.release(keyOf(root))
  }
}

const keyOf = (root: string) => `new-accounts:${root}`
