import type { Account } from '../account.js'

/** An account with its secrets, for this domain only. */
export interface AccountRecord extends Account {
  /** PHC string, or empty: no password. */
  passwordHash: string
  /** Login sessions with a lower epoch are invalid. */
  epoch: number
  /** It was shown that the address belongs to who uses the account. */
  isEmailProven: boolean
  /** The OpenID provider made it: where its rules decide, there is no other way in. */
  isProviderOnly: boolean
  /** The first of those who invited each other until this account, or null. */
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

/** Where a session was begun, as its account sees it. */
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
