import type { Account, AccountPage } from '../account.js'

/** An account with what only this domain may see. */
export interface StoredAccount extends Account {
  /** PHC string. */
  passwordHash: string
  /** Login sessions that carry an older number are over. */
  epoch: number
}

/** An account to be; without a role the first one becomes the admin and every other a member. */
export interface NewAccount {
  id: string
  email: string
  role: Account['role'] | null
  passwordHash: string
  createdAt: number
}

export interface Invitation {
  tokenHash: string
  purpose: 'setup' | 'invite'
  /** The only address that may use it, or null. */
  email: string | null
  createdAt: number
  expiresAt: number
}

export interface AccountStore {
  isEmpty(): Promise<boolean>
  /** Null when the e-mail address is taken. */
  add(account: NewAccount): Promise<Account | null>
  /** Adds an account only while there is none. Null otherwise. */
  addFirst(account: NewAccount): Promise<Account | null>
  /** In order of creation, in pages. */
  list(page?: AccountPage): Promise<Account[]>
  isLastAdmin(id: string): Promise<boolean>
  find(id: string): Promise<StoredAccount | null>
  findByEmail(email: string): Promise<StoredAccount | null>
  /** Sets the password hash and raises the epoch. False when there is no such account. */
  setPassword(id: string, passwordHash: string): Promise<boolean>
  raiseEpoch(id: string): Promise<void>
  /** Nothing happens to the last admin. */
  remove(id: string): Promise<'removed' | 'absent' | 'last-admin'>

  /** A new set-up link replaces the older one. Forgets expired links. */
  addInvitation(invitation: Invitation): Promise<void>
  findInvitation(tokenHash: string, now: number): Promise<Invitation | null>
  /**
   * Uses the link up and adds the account, or does neither. A set-up link is `unknown` once there is an account.
   */
  acceptInvitation(
    tokenHash: string,
    now: number,
    account: NewAccount,
  ): Promise<Account | 'unknown' | 'email-taken'>
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
  /** Null when it is unknown or expired. */
  find(idHash: string, now: number): Promise<LoginSession | null>
  /** Makes it last until `expiresAt`; a session that has ended stays ended. */
  extend(session: LoginSession, expiresAt: number): Promise<void>
  end(idHash: string): Promise<void>
}

/** What became of an attempt to take one of `limit` places. */
export interface Place {
  taken: boolean
  /** Places in use, this one included. */
  count: number
  /** Milliseconds until all places are free again. */
  freeIn: number
}

/** Counts within time windows. A window starts with its first place taken and ends for all of them at once. */
export interface ThrottleStore {
  /** One atomic step: of parallel takers exactly `limit` succeed. */
  take(key: string, limit: number, windowMs: number, now: number): Promise<Place>
  /** Returns one place, if any is in use. */
  giveBack(key: string): Promise<void>
  clear(key: string): Promise<void>
}
