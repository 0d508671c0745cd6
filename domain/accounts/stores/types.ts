import type { Account } from '../account.js'

/** An account with its secrets, for this domain only. */
export interface AccountRecord extends Account {
  /** PHC string, or empty: no password. */
  passwordHash: string
  /** Login sessions with a lower epoch are invalid. */
  epoch: number
  /** The user of the account has proven that the address is theirs. */
  isEmailProven: boolean
  /** The OpenID provider created it: if the provider's rules apply, there is no other way to sign in. */
  isProviderOnly: boolean
  /** The first account in the chain of invitations up to this account, or null. */
  invitedRoot: string | null
}

/** An account to create. Without a role, the first becomes the admin and every other a member. */
export interface NewAccount {
  id: string
  email: string
  role: Account['role'] | null
  /** Empty: no password. */
  passwordHash: string
  createdAt: number
  isEmailProven: boolean
  isProviderOnly?: boolean
  invitedRoot?: string | null
}

/** The device of a session, as shown to its account. */
export interface Device {
  /** The `User-Agent` header. Null: unknown. */
  userAgent: string | null
  /** The IP address. Null: unknown. */
  address: string | null
}

export interface LoginSession extends Device {
  idHash: string
  accountId: string
  /** The account's epoch at sign-in. */
  epoch: number
  createdAt: number
  expiresAt: number
  /** At most an hour before the last request. */
  lastSeenAt: number
}

/** The maximum number of sessions in a list. */
export const SESSIONS_LISTED = 100

export interface LoginSessionStore {
  add(session: LoginSession): Promise<void>
  /** Null when the session is unknown or expired. */
  find(idHash: string, now: number): Promise<LoginSession | null>
  /** The sessions of an account, at most `SESSIONS_LISTED`, most recently begun first. */
  listFor(accountId: string, now: number): Promise<LoginSession[]>
  /** Moves the expiry and the time of the last request. An ended session stays ended. */
  extend(session: LoginSession, expiresAt: number, lastSeenAt: number): Promise<void>
  end(idHash: string): Promise<void>
}
