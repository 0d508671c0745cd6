/** A one-time link. */
export interface Invitation {
  /** Names the link in lists. Not a secret. */
  id: string
  tokenHash: string
  purpose: 'setup' | 'invite' | 'reset'
  /** The only e-mail address that may use it, or null. For a link to reset a password: the one that it was mailed to. */
  email: string | null
  createdAt: number
  expiresAt: number
  /** The account that made it, or null. */
  invitedBy: string | null
  /** The Safe that it also gives access to. */
  safe: InvitedSafe | null
  /** The account whose password it resets. */
  accountId: string | null
}

export interface InvitedSafe {
  id: string
  role: 'owner' | 'reader'
}

/** An invitation that has not been used, as lists show it. */
export type PendingInvitation = Pick<Invitation, 'id' | 'email' | 'createdAt' | 'expiresAt' | 'safe'> & {
  /** The e-mail address of the account that made it, or null if unknown. */
  inviter: string | null
}

/** A page of pending invitations: those made before the invitation `after`, of one Safe or of all. */
export interface InvitationPage {
  safeId?: string
  after?: string
  limit?: number
}
