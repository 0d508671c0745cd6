import type { Account } from '../account.js'

/** An account with its secrets, for this domain only. */
export interface AccountRecord extends Account {
  /** PHC string. */
  passwordHash: string
  /** Login sessions with a lower epoch are invalid. */
  epoch: number
}

/** An account to create. Without a role, the first becomes the admin and every other a member. */
export interface NewAccount {
  id: string
  email: string
  role: Account['role'] | null
  passwordHash: string
  createdAt: number
}

export interface Invitation {
  tokenHash: string
  purpose: 'setup' | 'invite' | 'reset'
  /** The only e-mail address that may use it, or null. */
  email: string | null
  createdAt: number
  expiresAt: number
}

export interface LoginSession {
  idHash: string
  accountId: string
  /** The account's epoch at sign-in. */
  epoch: number
  createdAt: number
  expiresAt: number
}

export interface LoginSessionStore {
  add(session: LoginSession): Promise<void>
  /** Null when the session is unknown or expired. */
  find(idHash: string, now: number): Promise<LoginSession | null>
  /** Moves the expiry to `expiresAt`. An ended session stays ended. */
  extend(session: LoginSession, expiresAt: number): Promise<void>
  end(idHash: string): Promise<void>
}

/** The result of counting one event against a limit. */
export interface ThrottleResult {
  isAllowed: boolean
  /** Events in this window, including this one if it was allowed. */
  count: number
  /** Milliseconds until the window ends. */
  resetInMs: number
}

/** Counts events in fixed time windows. A window starts with its first event. */
export interface ThrottleStore {
  /**
   * Counts an event if fewer than `limit` were counted. Atomic: of parallel calls exactly `limit` are
   * allowed.
   */
  take(key: string, limit: number, windowMs: number, now: number): Promise<ThrottleResult>
  /** Uncounts one event, if any was counted. */
  release(key: string): Promise<void>
  clear(key: string): Promise<void>
}
