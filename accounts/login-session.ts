import type { Clock } from '../common/clock.js'
import { hashSecret, newSecret, type Random } from '../common/secrets.js'
import type { Account, LoginSessions } from './account.js'
import type { AccountStore, LoginSessionStore, StoredAccount } from './stores/types.js'

const DAY_MS = 24 * 60 * 60_000
export const LOGIN_DAYS = 30

/** Login sessions that slide: whoever comes back within 30 days stays signed in. */
export class StoredLoginSessions implements LoginSessions {
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

  async begin(accountId: string): Promise<string> {
    const secret = newSecret(this.#random)
    const createdAt = this.#clock()
    const epoch = (await this.#accounts.find(accountId))?.epoch ?? 0
    const expiresAt = createdAt + LOGIN_DAYS * DAY_MS
    await this.#sessions.add({ idHash: hashSecret(secret), accountId, epoch, createdAt, expiresAt })
    return secret
  }

  async find(secret: string): Promise<Account | null> {
    const now = this.#clock()
    const session = await this.#sessions.find(hashSecret(secret), now)
    if (!session) return null
    const account = await this.#accounts.find(session.accountId)
    if (account?.epoch !== session.epoch) return null
    const expiresAt = now + LOGIN_DAYS * DAY_MS
    // Once a day is enough, and keeps reading a page free of writes.
    if (expiresAt - session.expiresAt > DAY_MS) await this.#sessions.extend(session, expiresAt)
    return withoutSecrets(account)
  }

  end(secret: string): Promise<void> {
    return this.#sessions.end(hashSecret(secret))
  }
}

export function withoutSecrets({ id, email, role, createdAt }: StoredAccount): Account {
  return { id, email, role, createdAt }
}
