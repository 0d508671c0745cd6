import type { Clock } from '../../platform/common/clock.js'
import { notFound } from '../../platform/common/domain-error.js'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/common/durations.js'
import { hashSecret, newSecret, type Random } from '../../platform/common/secrets.js'
import { Part } from '../part.js'
import type { Account } from './account.js'
import type { AccountStore } from './stores/account.sql.js'
import type { AccountRecord, Device, LoginSession, LoginSessionStore } from './stores/types.js'

/** Browsers send about 120 characters. */
const MAX_USER_AGENT_LENGTH = 300
export const LOGIN_DAYS = 30
/** How long a sign-in counts as recent. */
const RECENT_MS = 10 * MINUTE_MS

const UNKNOWN: Device = { userAgent: null, address: null }

/** A session as its account sees it. */
export type ListedSession = Pick<LoginSession, 'userAgent' | 'address' | 'createdAt' | 'lastSeenAt'> & {
  /** Ends it. Not a secret: the hash of the secret in the cookie. */
  id: string
  isCurrent: boolean
}

interface LoginSessionsDependencies {
  sessions: LoginSessionStore
  accounts: Pick<AccountStore, 'find'>
  clock: Clock
  random: Random
}

/** Sign-in sessions, identified by the secret in a browser's cookie. They expire after 30 days without use. */
export class LoginSessions extends Part<LoginSessionsDependencies> {
  /** Starts a session. @returns its secret, which is stored only as a hash */
  async begin(accountId: string, device: Device = UNKNOWN): Promise<string> {
    const { sessions, accounts, clock, random } = this.dependencies
    const secret = newSecret(random)
    const createdAt = clock()
    const epoch = (await accounts.find(accountId))?.epoch ?? 0
    const times = { createdAt, expiresAt: createdAt + LOGIN_DAYS * DAY_MS, lastSeenAt: createdAt }
    await sessions.add({ idHash: hashSecret(secret), accountId, epoch, ...times, ...trimmed(device) })
    return secret
  }

  /** The account of a session, or null when the session is unknown, expired or ended. Extends the session. */
  async find(secret: string): Promise<Account | null> {
    const now = this.dependencies.clock()
    const session = await this.dependencies.sessions.find(hashSecret(secret), now)
    if (!session) return null
    const account = await this.dependencies.accounts.find(session.accountId)
    if (account?.epoch !== session.epoch) return null
    // At most once an hour, so that most page views write nothing.
    if (now - session.lastSeenAt > HOUR_MS)
      await this.dependencies.sessions.extend(session, now + LOGIN_DAYS * DAY_MS, now)
    return withoutSecrets(account)
  }

  /** Whether a session began in the last ten minutes. */
  async isRecent(secret: string): Promise<boolean> {
    const now = this.dependencies.clock()
    const session = await this.dependencies.sessions.find(hashSecret(secret), now)
    return session !== null && now - session.createdAt < RECENT_MS
  }

  /** The sessions of an account, most recently begun first. `current` is the secret of the caller's session. */
  async listFor(accountId: string, current: string): Promise<ListedSession[]> {
    const epoch = (await this.dependencies.accounts.find(accountId))?.epoch
    const sessions = await this.dependencies.sessions.listFor(accountId, this.dependencies.clock())
    const idOfCurrent = hashSecret(current)
    return sessions
      .filter(session => session.epoch === epoch)
      .map(({ idHash: id, userAgent, address, createdAt, lastSeenAt }) => {
        return { id, userAgent, address, createdAt, lastSeenAt, isCurrent: id === idOfCurrent }
      })
  }

  /** Ends a session of this account by its id in the list. @throws notFound */
  async endListed(accountId: string, id: string): Promise<void> {
    const session = await this.dependencies.sessions.find(id, this.dependencies.clock())
    if (session?.accountId !== accountId) throw notFound('session')
    await this.dependencies.sessions.end(id)
  }

  end(secret: string): Promise<void> {
    return this.dependencies.sessions.end(hashSecret(secret))
  }
}

/** An account as others see it, without its password's hash. */
export function withoutSecrets({ id, email, role, createdAt }: AccountRecord): Account {
  return { id, email, role, createdAt }
}

const trimmed = ({ userAgent, address }: Device): Device => ({
  userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
  address,
})
