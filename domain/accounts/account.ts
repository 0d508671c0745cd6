export interface Account {
  id: string
  /** Lower-cased. */
  email: string
  role: 'admin' | 'member'
  createdAt: number
}

/** A page of accounts: those created after the account `after`. */
export interface AccountPage {
  after?: string
  limit?: number
}
