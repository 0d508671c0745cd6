export interface Account {
  id: string
  /** Lower-cased. */
  email: string
  role: 'admin' | 'member'
  createdAt: number
}

/** Who is signed in, by the secret in a browser's cookie. */
export interface LoginSessions {
  /** Starts a session of 30 days. Returns its secret, which is stored only as a hash. */
  begin(accountId: string): Promise<string>
  /** Whose session this is, or null when it is unknown, expired or ended. Using it makes it last 30 more days. */
  find(secret: string): Promise<Account | null>
  end(secret: string): Promise<void>
}

export interface AccountPage {
  after?: string
  limit?: number
}

/** Accounts, their passwords, and the one-time links that create them. */
export interface Accounts {
  /** Whether no account exists yet, so that the set-up link is due. */
  isEmpty(): Promise<boolean>
  /** @throws DomainError 400 for a bad e-mail or a password under 12 characters, 409 when the e-mail is taken */
  add(email: string, password: string, role?: Account['role']): Promise<Account>
  /** In order of creation: those after the one named, 100 where no other limit is named. */
  list(page?: AccountPage): Promise<Account[]>
  find(id: string): Promise<Account | null>
  findByEmail(email: string): Promise<Account | null>
  /** Ends all login sessions of the account. */
  setPassword(accountId: string, password: string): Promise<void>
  /**
   * `setPassword` for somebody who knows the current one; throttled like `signIn`.
   * @returns false when the current password is wrong
   */
  changePassword(accountId: string, current: string, next: string, address: string): Promise<boolean>
  /** Ends all login sessions of the account. */
  endSessions(accountId: string): Promise<void>
  /**
   * Removes the account and all that is only its own.
   * @throws DomainError 409 for the last admin
   */
  remove(accountId: string): Promise<void>
  /** Has `clean` run before an account is removed: each domain ends there what the account had in it. */
  beforeRemoval(clean: (accountId: string) => Promise<void>): void
  /**
   * One answer and one duration for wrong e-mail and wrong password (RULES C9).
   * `knownAccountId`: whose account this browser has signed in to before; it comes before strangers.
   * @throws DomainError 429 with `retryAfter` when the address has failed too often or has too much waiting
   */
  signIn(
    email: string,
    password: string,
    address: string,
    knownAccountId?: string | null,
  ): Promise<Account | null>
  /** A one-time link's token; an older set-up token stops working. */
  createSetupToken(): Promise<string>
  createInvitation(email: string | null): Promise<string>
  /** What a link is for, or null when it is unknown, used or expired. */
  findInvitation(token: string): Promise<{ purpose: 'setup' | 'invite'; email: string | null } | null>
  /** Uses the link up and creates the account, in one atomic step. The first account is the admin. */
  acceptInvitation(token: string, email: string, password: string): Promise<Account>
}
