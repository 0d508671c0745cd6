import { notFound } from '../../platform/common/domain-error.js'
import { hashSecret, newId } from '../../platform/common/secrets.js'
import { Part } from '../part.js'
import type { Account } from './account.js'
import { normalizeEmail, readEmail } from './credentials.js'
import type { AccountDependencies } from './dependencies.js'
import { accountErrors } from './errors.js'
import type { Invitation, InvitationPage, InvitedSafe, PendingInvitation } from './invitation.js'
import { FROM_PROVIDER, type Granted, newAccount } from './new-account.js'
import { createLink, linkSender } from './one-time-link.js'
import type { IdentityKey } from './openid/identity.js'
import type { NewAccount } from './stores/types.js'

const SETUP_HOURS = 24
const INVITE_HOURS = 7 * 24

/** A valid link. */
export type OpenLink = Pick<Invitation, 'purpose' | 'email' | 'invitedBy' | 'safe'> & {
  /** It allows people without an account to create one. */
  admitsNew: boolean
}

/** The one-time links that create accounts: to set the service up, and invitations. */
export class Invitations extends Part<AccountDependencies> {
  /** Creates a set-up link's token and revokes older ones. */
  createSetupToken(): Promise<string> {
    return createLink(this.dependencies, 'setup', SETUP_HOURS)
  }

  /**
   * Creates the token of an invitation link, which works once within seven days. `safe` is a Safe that the link
   * also opens; the caller must check that `invitedBy` owns it.
   * @throws DomainError 400 for an invalid e-mail, 409 if the account has too many unused invitations
   */
  async create(
    email: string | null,
    invitedBy: string | null = null,
    safe: InvitedSafe | null = null,
  ): Promise<string> {
    const address = email === null ? null : readEmail(email)
    const token = await createLink(this.dependencies, 'invite', INVITE_HOURS, {
      email: address,
      invitedBy,
      safe,
    })
    if (invitedBy !== null) {
      const safeId = safe?.id ?? null
      this.dependencies.activity.record({ kind: 'invited', accountId: invitedBy, safeId, detail: address })
    }
    return token
  }

  /** Unused invitations, newest first; 100 by default. */
  list(page: InvitationPage = {}): Promise<PendingInvitation[]> {
    const { invitations, clock } = this.dependencies
    return invitations.list(page, clock())
  }

  /** Revokes an unused invitation: any, or only one into this Safe. */
  async revoke(invitationId: string, safeId?: string): Promise<void> {
    if (!(await this.dependencies.invitations.revoke(invitationId, safeId))) throw notFound('invitation')
  }

  /**
   * A link, or null when it is unknown, used, revoked or expired. An open link into a Safe `admitsNew` people to the Safe
   * only if they have an account. An open link to the service is void once the account that made it is no longer an administrator.
   */
  async find(token: string): Promise<OpenLink | null> {
    const { store, invitations, clock } = this.dependencies
    const invitation = await invitations.find(hashSecret(token), clock())
    if (!invitation || (invitation.purpose === 'setup' && !(await store.isEmpty()))) return null
    const { purpose, email, invitedBy, safe } = invitation
    const isOpen = purpose === 'invite' && email === null
    if (isOpen && safe === null && (await this.inviterRoot(invitedBy)) !== null) return null
    return { purpose, email, invitedBy, safe, admitsNew: purpose !== 'reset' && !(isOpen && safe) }
  }

  /**
   * The first account in the chain of invitations up to this account; all accounts of a chain share its limits. Null for administrators
   * and the operator (null), who have no such limits.
   */
  async inviterRoot(accountId: string | null): Promise<string | null> {
    if (accountId === null) return null
    const record = await this.dependencies.store.find(accountId)
    return record?.role === 'admin' ? null : (record?.invitedRoot ?? accountId)
  }

  /**
   * Consumes the link and creates the account in one atomic step. The first account becomes the admin. A link into
   * a Safe stays valid for this account until it has joined the Safe.
   */
  async accept(token: string, email: string, password: string): Promise<Account> {
    const granted = await this.#grantedBy(token, email)
    const account = await newAccount(this.dependencies, email, password, granted, linkSender(token))
    return this.#accept(token, account)
  }

  /** Like `accept`, for somebody who signed in at the OpenID provider. The account has no password. */
  async acceptAs(identity: IdentityKey, email: string, token: string): Promise<Account> {
    const { clock, random } = this.dependencies
    const granted = await this.#grantedBy(token, email)
    const account = { id: newId(random), email: readEmail(email), createdAt: clock() }
    return this.#accept(token, { ...granted, ...account, passwordHash: '', ...FROM_PROVIDER }, identity)
  }

  /**
   * The rights that a link gives to a new account. An administrator who names an address vouches for it. Another member does not: the
   * page showed them the link as well.
   * @throws DomainError 400 for another address than the invited one, 403 for a link for existing accounts, 410 for one that
   * is not valid
   */
  async #grantedBy(token: string, email: string): Promise<Granted> {
    const invitation = await this.find(token)
    if (!invitation || invitation.purpose === 'reset') throw accountErrors.linkUsed()
    if (invitation.email && invitation.email !== normalizeEmail(email)) {
      throw accountErrors.otherEmail(invitation.email)
    }
    if (!invitation.admitsNew) throw accountErrors.onlyExisting()
    if (invitation.purpose === 'setup') return { role: 'admin', isEmailProven: true }
    const invitedRoot = await this.inviterRoot(invitation.invitedBy)
    return { role: 'member', isEmailProven: invitedRoot === null && invitation.email !== null, invitedRoot }
  }

  async #accept(token: string, account: NewAccount, identity: IdentityKey | null = null): Promise<Account> {
    const { invitations, newAccountLimit, clock } = this.dependencies
    const { invitedRoot = null } = account
    if (invitedRoot !== null) await newAccountLimit.take(invitedRoot)
    const outcome = await invitations.accept(hashSecret(token), clock(), account, identity)
    if (typeof outcome === 'string' && invitedRoot !== null) await newAccountLimit.release(invitedRoot)
    if (outcome === 'unknown') throw accountErrors.linkUsed()
    if (outcome === 'email-taken') throw accountErrors.emailTaken()
    return outcome
  }
}
