import { addressBlock } from '../common/client-address.js'
import { HOUR_MS, MINUTE_MS } from '../common/durations.js'
import { hashSecret } from '../common/secrets.js'
import { limitErrors } from './errors.js'
import type { ThrottleStore } from './throttle-store.js'

const RESET_WINDOW_MS = 15 * MINUTE_MS
const RESETS_PER_SENDER = 10
const RESETS_PER_ACCOUNT = 3
const NOTICES_PER_ACCOUNT = 20
const INVITATIONS_PER_ACCOUNT = 20
const INVITATIONS_PER_ROOT = 10

/** Limits the mail that people can make the service send, to themselves and to others. */
export class MailLimits {
  readonly #store: ThrottleStore

  constructor(store: ThrottleStore) {
    this.#store = store
  }

  /**
   * Counts a request for a link to reset a password, for any address, so that the answer reveals nothing about
   * accounts.
   * @throws DomainError 429 with `retryAfter` when the sender has asked too often
   */
  async countResetRequest(address: string): Promise<void> {
    const key = `mail-sender:${addressBlock(address)}`
    const { isAllowed, resetInMs } = await this.#store.take(key, RESETS_PER_SENDER, RESET_WINDOW_MS)
    if (!isAllowed) throw limitErrors.resets(Math.max(1, Math.ceil(resetInMs / 1000)))
  }

  /** Whether a link to reset the password may be sent to this address. Counts it. */
  async mayReset(email: string): Promise<boolean> {
    return (await this.#store.take(`mail-reset:${hashSecret(email)}`, RESETS_PER_ACCOUNT, HOUR_MS)).isAllowed
  }

  /** Whether the account may get one more notification. Counts it. */
  async mayNotify(accountId: string): Promise<boolean> {
    return (await this.#store.take(`mail-notice:${accountId}`, NOTICES_PER_ACCOUNT, HOUR_MS)).isAllowed
  }

  /**
   * Whether the account may have one more invitation sent. Counts it. `root`: the first account in the chain of
   * invitations up to this account, which share a limit; null: an administrator.
   */
  async mayInvite(accountId: string, root: string | null): Promise<boolean> {
    const taken =
      root === null
        ? await this.#store.take(`mail-invitation:${accountId}`, INVITATIONS_PER_ACCOUNT, HOUR_MS)
        : await this.#store.take(`mail-invited:${root}`, INVITATIONS_PER_ROOT, 24 * HOUR_MS)
    return taken.isAllowed
  }

  /** Whether to report overdue backups again: once a day, by one of all processes. */
  async mayWarnOfBackups(): Promise<boolean> {
    return (await this.#store.take('mail-backups', 1, 24 * HOUR_MS)).isAllowed
  }
}
