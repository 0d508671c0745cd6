import type { Clock } from '../common/clock.js'
import { hashSecret, newSecret, type Random } from '../common/secrets.js'
import type { Account } from './account.js'
import type { AccountStore } from './stores/account.sql.js'
import type { AccountRecord, LoginSessionStore } from './stores/types.js'

const DAY_MS = 24 * 60 * 60_000
export const LOGIN_DAYS = 30

/**
 * Sign-in sessions, identified by the secret in a browser's cookie. They expire after 30 days without use.
 */
export class LoginSessions {
  readonly #sessions: LoginSessionStore
  readonly #accounts: AccountStore
  readonly #clock: Clock
  readonly #random: Random

  constructor(sessions: LoginSessionStore, accounts: AccountStore, clock: Clock, random: Random) {
    this.#sessions = sessions
    this.#accounts = accounts
    this.#clock = clock
    this.#random = random
  }

  /** Starts a session. @returns its secret, which is stored only as a hash */
  async begin(accountId: string): Promise<string> {
    const secret = newSecret(this.#random)
    const createdAt = this.#clock()
    const epoch = (await this.#accounts.find(accountId))?.epoch ?? 0
    const expiresAt = createdAt + LOGIN_DAYS * DAY_MS
    await this.#sessions.add({ idHash: hashSecret(secret), accountId, epoch, createdAt, expiresAt })
    return secret
  }

  /** The account of a session, or null when the session is unknown, expired or ended. Extends the session. */
  async find(secret: string): Promise<Account | null> {
    const now = this.#clock()
    const session = await this.#sessions.find(hashSecret(secret), now)
    if (!session) return null
    const account = await this.#accounts.find(session.accountId)
    if (account?.epoch !== session.epoch) return null
    const expiresAt = now + LOGIN_DAYS * DAY_MS
    // At most once a day, so that most page views write nothing.
    if (expiresAt - session.expiresAt > DAY_MS) await this.#sessions.extend(session, expiresAt)
    return withoutSecrets(account)
  }

  end(secret: string): Promise<void> {
    return this.#sessions.end(hashSecret(secret))
  }
}

export function withoutSecrets({ id, email, role, createdAt }: AccountRecord): Account {
  return { id, email, role, createdAt }
}
