import type { Activity } from '../activity/activity.js'
import { addressBlock } from '../common/client-address.js'
import type { Clock } from '../common/clock.js'
import { DomainError, notFound } from '../common/domain-error.js'
import { signIns } from '../common/events.js'
import { hashSecret, newId, newSecret, type Random } from '../common/secrets.js'
import type { Account, AccountPage } from './account.js'
import { isHashable, normalizeEmail, readEmail, readNewPassword } from './credentials.js'
import { accountErrors } from './errors.js'
import type { Invitation, InvitationPage, InvitedSafe, PendingInvitation } from './invitation.js'
import { withoutSecrets } from './login-session.js'
import type { NewAccountLimit } from './new-account-limit.js'
import type { IdentityKey } from './openid/identity.js'
import type { Passwords } from './password.js'
import type { Sender } from './queue.js'
import type { AccountStore } from './stores/account.sql.js'
import type { AccountRecord, NewAccount } from './stores/types.js'
import type { SignInThrottle } from './throttle.js'

const HOUR_MS = 60 * 60_000
const SETUP_HOURS = 24
const INVITE_HOURS = 7 * 24
/** Wrong passwords recorded per account in 15 minutes, so that strangers cannot fill the activity of others. */
const RECORDED_FAILURES = 20
/** Of a link that an administrator makes. */
export const RESET_HOURS = 24

/** A link that can be used. */
type OpenLink = Pick<Invitation, 'purpose' | 'email' | 'invitedBy' | 'safe'> & {
  /** Whoever has no account may make one with it. */
  admitsNew: boolean
}

export interface Dependencies {
  store: AccountStore
  throttle: SignInThrottle
  passwords: Passwords
  newAccountLimit: NewAccountLimit
  activity: Pick<Activity, 'record' | 'forgetAccount'>
  /** The name of the service, which is no password. */
  brand: string
  /** The OpenID provider has rules for who may sign in, so accounts that it made have no other way in (ADR 64). */
  providerDecides: boolean
  clock: Clock
  random: Random
}

/** Accounts, their passwords, and the one-time links that create them. */
export class Accounts {
  readonly #store: AccountStore
  readonly #throttle: SignInThrottle
  readonly #passwords: Passwords
  readonly #newAccountLimit: NewAccountLimit
  readonly #activity: Dependencies['activity']
  readonly #brand: string
  readonly #providerDecides: boolean
  readonly #clock: Clock
  readonly #random: Random
  readonly #removalHooks: ((accountId: string) => Promise<void>)[] = []
  readonly #claimHooks: ((accountId: string) => Promise<void>)[] = []

  constructor(dependencies: Dependencies) {
    const { store, throttle, passwords, newAccountLimit, activity } = dependencies
    const { brand, providerDecides, clock, random } = dependencies
    this.#store = store
    this.#throttle = throttle
    this.#passwords = passwords
    this.#newAccountLimit = newAccountLimit
    this.#activity = activity
    this.#brand = brand
    this.#providerDecides = providerDecides
    this.#clock = clock
    this.#random = random
  }

  /** Whether no account exists yet, so that the set-up link is needed. */
  isEmpty(): Promise<boolean> {
    return this.#store.isEmpty()
  }

  /**
   * @throws DomainError 400 for an invalid e-mail or a password that `readNewPassword` refuses, 409 when the e-mail
   * is taken
   */
  async add(email: string, password: string, role?: Account['role']): Promise<Account> {
    const isEmailProven = true
    const account = await this.#store.add(
      await this.#newAccount(email, password, { role: role ?? null, isEmailProven }),
    )
    if (!account) throw accountErrors.emailTaken()
    return account
  }

  /** Creates the account of `ADMIN_EMAIL` unless an account exists. */
  async addFirst(email: string, password: string): Promise<void> {
    if (await this.isEmpty()) {
      const first = { role: 'admin', isEmailProven: true } as const
      await this.#store.addFirst(await this.#newAccount(email, password, first))
    }
  }

  /** Accounts in order of creation, 100 by default. */
  list(page?: AccountPage): Promise<Account[]> {
    return this.#store.list(page)
  }

  async find(id: string): Promise<Account | null> {
    const record = await this.#store.find(id)
    return record && withoutSecrets(record)
  }

  async findByEmail(email: string): Promise<Account | null> {
    const record = await this.#store.findByEmail(normalizeEmail(email))
    return record && withoutSecrets(record)
  }

  /** Whether this account has ever asked a question, as `noteQuestion` was told. */
  hasAsked(accountId: string): Promise<boolean> {
    return this.#store.hasAsked(accountId)
  }

  /** Notes that the account has asked a question. Writes only the first time. */
  async noteQuestion(accountId: string): Promise<void> {
    if (!(await this.hasAsked(accountId))) await this.#store.noteQuestion(accountId, this.#clock())
  }

  /** Administrators, at most 100. */
  administrators(): Promise<Account[]> {
    return this.#store.administrators()
  }

  /** Whether the account wants notifications by e-mail. False if there is none. */
  wantsMail(accountId: string): Promise<boolean> {
    return this.#store.wantsMail(accountId)
  }

  setWantsMail(accountId: string, wantsMail: boolean): Promise<void> {
    return this.#store.setWantsMail(accountId, wantsMail)
  }

  /** For the operator. Ends all login sessions of the account, which may sign in with a password from now on. */
  async setPassword(accountId: string, password: string): Promise<void> {
    const record = await this.#store.find(accountId)
    if (!record) throw notFound('account')
    const passwordHash = await this.#hashNew(password, record.email)
    if (!(await this.#store.setPassword(accountId, passwordHash, true))) throw notFound('account')
    this.#activity.record({ kind: 'password-changed', accountId })
  }

  /**
   * Like `setPassword`, but requires the current password and is throttled like `signIn`.
   * @returns false when the current password is wrong
   */
  async changePassword(accountId: string, current: string, next: string, address: string): Promise<boolean> {
    const record = await this.#store.find(accountId)
    if (!record) return false
    await readNewPassword(next, { email: record.email, brand: this.#brand })
    if (!(await this.confirmPassword(accountId, current, address))) return false
    const passwordHash = await this.#hashNew(next, record.email, knownSender(accountId))
    if (!(await this.#store.setPassword(accountId, passwordHash, false))) throw notFound('account')
    this.#activity.record({ kind: 'password-changed', accountId, detail: addressBlock(address) })
    return true
  }

  /** Whether this is the password of the account. Throttled like `signIn`. */
  async confirmPassword(accountId: string, password: string, address: string): Promise<boolean> {
    const record = await this.#store.find(accountId)
    if (!record) return false
    return this.#checkPassword(record, record.email, password, address, knownSender(accountId))
  }

  /** Whether the account can sign in with a password. */
  async hasPassword(accountId: string): Promise<boolean> {
    const record = await this.#store.find(accountId)
    return Boolean(record?.passwordHash) && !this.#isProviderOnly(record)
  }

  /** Whether the OpenID provider alone decides who signs in as this account. */
  async isProviderOnly(accountId: string): Promise<boolean> {
    return this.#isProviderOnly(await this.#store.find(accountId))
  }

  #isProviderOnly(record: AccountRecord | null): boolean {
    return this.#providerDecides && record?.isProviderOnly === true
  }

  isLastAdmin(accountId: string): Promise<boolean> {
    return this.#store.isLastAdmin(accountId)
  }

  /** Ends all login sessions of the account. */
  endSessions(accountId: string): Promise<void> {
    return this.#store.raiseEpoch(accountId)
  }

  /**
   * Adds a hook that runs before an account is removed, so that each domain can remove its own data of the
   * account.
   */
  beforeRemoval(hook: (accountId: string) => Promise<void>): void {
    this.#removalHooks.push(hook)
  }

  /**
   * Adds a hook that ends what an account is used through when somebody else has proven its address. It may run more than
   * once.
   */
  onClaim(hook: (accountId: string) => Promise<void>): void {
    this.#claimHooks.push(hook)
  }

  /** Runs the hooks of `onClaim`. */
  async endUses(accountId: string): Promise<void> {
    for (const hook of this.#claimHooks) await hook(accountId)
  }

  /**
   * Removes the account and everything that belongs to it alone.
   * @throws DomainError 409 for the last admin
   */
  async remove(accountId: string): Promise<void> {
    if (await this.#store.isLastAdmin(accountId)) throw accountErrors.lastAdmin()
    for (const hook of this.#removalHooks) await hook(accountId)
    const outcome = await this.#store.remove(accountId)
    if (outcome === 'absent') throw notFound('account')
    if (outcome === 'last-admin') throw accountErrors.lastAdmin()
    // After the removal, so that nothing that happens meanwhile is written again.
    await this.#activity.forgetAccount(accountId)
  }

  /**
   * Gives the same answer in the same time for an unknown e-mail and for a wrong password (RULES C9).
   * `knownAccountId`: the account that has signed in with this browser before; it takes precedence over
   * strangers.
   * @throws DomainError 429 with `retryAfter` after too many failures or with too many attempts pending
   */
  async signIn(
    text: string,
    password: string,
    address: string,
    knownAccountId: string | null = null,
  ): Promise<Account | null> {
    const email = normalizeEmail(text)
    const record = await this.#store.findByEmail(email)
    const sender =
      record && record.id === knownAccountId
        ? knownSender(record.id)
        : { key: addressBlock(address), isKnown: false }
    const isCorrect = await this.#checkPassword(record, email, password, address, sender).catch(error => {
      if (error instanceof DomainError) signIns.publish({ result: 'throttled' })
      throw error
    })
    signIns.publish({ result: isCorrect && record ? 'succeeded' : 'failed' })
    if (!isCorrect || !record) return null
    const kind = record.id === knownAccountId ? 'signed-in' : 'signed-in-new'
    this.#activity.record({ kind, accountId: record.id, detail: addressBlock(address) })
    return withoutSecrets(record)
  }

  async #checkPassword(
    record: AccountRecord | null,
    email: string,
    password: string,
    address: string,
    sender: Sender,
  ) {
    const attempt = await this.#throttle.reserve(email, address)
    const canBeHashed = isHashable(password)
    let isCorrect: boolean
    try {
      const mayMatch = canBeHashed && !this.#isProviderOnly(record)
      const hash = mayMatch ? (record?.passwordHash ?? null) : null
      isCorrect = await this.#passwords.verify(canBeHashed ? password : '', hash, sender)
    } catch (error) {
      await attempt.abandoned()
      throw error
    }
    if (isCorrect) await attempt.succeeded()
    else if (record && attempt.failures < RECORDED_FAILURES) {
      this.#activity.record({ kind: 'sign-in-failed', accountId: record.id, detail: addressBlock(address) })
    }
    return isCorrect
  }

  /** Creates a set-up link's token and revokes older ones. */
  async createSetupToken(): Promise<string> {
    return this.#createLink('setup', SETUP_HOURS)
  }

  /**
   * Creates the token of an invitation link, which works once within seven days. `safe` is a Safe that the link
   * also opens; the caller must check that `invitedBy` owns it.
   * @throws DomainError 400 for an invalid e-mail, 409 if the account has too many unused invitations
   */
  async createInvitation(
    email: string | null,
    invitedBy: string | null = null,
    safe: InvitedSafe | null = null,
  ): Promise<string> {
    const address = email === null ? null : readEmail(email)
    const token = await this.#createLink('invite', INVITE_HOURS, { email: address, invitedBy, safe })
    if (invitedBy !== null) {
      const safeId = safe?.id ?? null
      this.#activity.record({ kind: 'invited', accountId: invitedBy, safeId, detail: address })
    }
    return token
  }

  /** Creates the token of a link that sets a new password once within `hours`, and revokes older ones. */
  async createResetToken(accountId: string, hours = RESET_HOURS): Promise<string> {
    return this.#createReset({ accountId }, hours)
  }

  /**
   * Like `createResetToken`, for a link that nobody sees but who reads the mail of the account. It does nothing for an
   * account that is `isProviderOnly`.
   */
  createMailedResetToken({ id, email }: Account, hours: number): Promise<string> {
    return this.#createReset({ accountId: id, email }, hours)
  }

  async #createReset(link: { accountId: string; email?: string }, hours: number): Promise<string> {
    const { accountId } = link
    if (!(await this.#store.find(accountId))) throw notFound('account')
    const token = await this.#createLink('reset', hours, link)
    this.#activity.record({ kind: 'reset-link', accountId })
    return token
  }

  async #createLink(
    purpose: Invitation['purpose'],
    hours: number,
    content: Partial<Pick<Invitation, 'email' | 'invitedBy' | 'safe' | 'accountId'>> = {},
  ): Promise<string> {
    const token = newSecret(this.#random)
    const createdAt = this.#clock()
    const outcome = await this.#store.addInvitation({
      id: newId(this.#random),
      tokenHash: hashSecret(token),
      purpose,
      createdAt,
      expiresAt: createdAt + hours * HOUR_MS,
      ...{ email: null, invitedBy: null, safe: null, accountId: null },
      ...content,
    })
    if (outcome === 'too many') throw accountErrors.tooManyInvitations()
    return token
  }

  /** Unused invitations, newest first; 100 by default. */
  invitations(page: InvitationPage = {}): Promise<PendingInvitation[]> {
    return this.#store.invitations(page, this.#clock())
  }

  /** Revokes an unused invitation: any, or only one into this Safe. */
  async revokeInvitation(invitationId: string, safeId?: string): Promise<void> {
    if (!(await this.#store.revokeInvitation(invitationId, safeId))) throw notFound('invitation')
  }

  /**
   * A link, or null when it is unknown, used, revoked or expired. An open link into a Safe `admitsNew` people to the Safe
   * only if they have an account. An open link to the service is void when its maker is no longer an administrator.
   */
  async findInvitation(token: string): Promise<OpenLink | null> {
    const invitation = await this.#store.findInvitation(hashSecret(token), this.#clock())
    if (!invitation || (invitation.purpose === 'setup' && !(await this.isEmpty()))) return null
    const { purpose, email, invitedBy, safe } = invitation
    const isOpen = purpose === 'invite' && email === null
    if (isOpen && safe === null && (await this.inviterRoot(invitedBy)) !== null) return null
    return { purpose, email, invitedBy, safe, admitsNew: purpose !== 'reset' && !(isOpen && safe) }
  }

  /**
   * The first of those who invited each other until this account, whose limits all of them share. Null for administrators
   * and the operator (null), who have no such limits.
   */
  async inviterRoot(accountId: string | null): Promise<string | null> {
    if (accountId === null) return null
    const record = await this.#store.find(accountId)
    return record?.role === 'admin' ? null : (record?.invitedRoot ?? accountId)
  }

  /**
   * Uses a link to reset a password. Ends all login sessions of the account.
   * @throws DomainError 400 for a password that `readNewPassword` refuses, 410 for a link that is not valid
   */
  async resetPassword(token: string, password: string): Promise<Account> {
    const tokenHash = hashSecret(token)
    const link = await this.#store.findInvitation(tokenHash, this.#clock())
    const record = link?.accountId && link.purpose === 'reset' ? await this.#store.find(link.accountId) : null
    // Somebody whom the provider no longer admits still reads their mail.
    if (!record || (link?.email && this.#isProviderOnly(record))) throw accountErrors.linkUsed()
    const passwordHash = await this.#hashNew(password, record.email, knownSender(`link ${tokenHash}`))
    const account = await this.#store.resetPassword(tokenHash, this.#clock(), passwordHash)
    if (!account) throw accountErrors.linkUsed()
    this.#activity.record({ kind: 'password-reset', accountId: account.id })
    return account
  }

  /** @throws DomainError 404, 409 for the last admin */
  async setRole(accountId: string, role: Account['role']): Promise<void> {
    const outcome = await this.#store.setRole(accountId, role)
    if (outcome === 'absent') throw notFound('account')
    if (outcome === 'last-admin') throw accountErrors.lastAdminRole()
    this.#activity.record({ kind: 'role-changed', accountId, detail: role })
  }

  /**
   * Consumes the link and creates the account in one atomic step. The first account becomes the admin. A link into
   * a Safe stays valid for this account until it has joined the Safe.
   */
  async acceptInvitation(token: string, email: string, password: string): Promise<Account> {
    const granted = await this.#invited(token, email)
    const sender = knownSender(`link ${hashSecret(token)}`)
    return this.#accept(token, await this.#newAccount(email, password, granted, sender))
  }

  /** Like `acceptInvitation`, for somebody who signed in at the OpenID provider. The account has no password. */
  async acceptInvitationAs(identity: IdentityKey, email: string, token: string): Promise<Account> {
    const granted = await this.#invited(token, email)
    const account = { id: newId(this.#random), email: readEmail(email), createdAt: this.#clock() }
    return this.#accept(token, { ...granted, ...account, passwordHash: '', ...FROM_PROVIDER }, identity)
  }

  /**
   * What a link gives to a new account. An administrator who names an address vouches for it. Another member does not: the
   * page showed them the link as well.
   * @throws DomainError 400 for another address than the invited one, 403 for a link for existing accounts, 410 for one that
   * is not valid
   */
  async #invited(token: string, email: string): Promise<Granted> {
    const invitation = await this.findInvitation(token)
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
    const { invitedRoot = null } = account
    if (invitedRoot !== null) await this.#newAccountLimit.take(invitedRoot)
    const outcome = await this.#store.acceptInvitation(hashSecret(token), this.#clock(), account, identity)
    if (typeof outcome === 'string' && invitedRoot !== null) await this.#newAccountLimit.release(invitedRoot)
    if (outcome === 'unknown') throw accountErrors.linkUsed()
    if (outcome === 'email-taken') throw accountErrors.emailTaken()
    return outcome
  }

  async #newAccount(email: string, password: string, granted: Granted, sender?: Sender): Promise<NewAccount> {
    return {
      ...granted,
      id: newId(this.#random),
      email: readEmail(email),
      passwordHash: await this.#hashNew(password, email, sender),
      createdAt: this.#clock(),
    }
  }

  async #hashNew(password: string, email: string, sender?: Sender): Promise<string> {
    return this.#passwords.hash(await readNewPassword(password, { email, brand: this.#brand }), sender)
  }
}

/** What a new account gets besides its address and password. */
type Granted = Pick<NewAccount, 'role' | 'isEmailProven' | 'invitedRoot'>

/** Of an account that the OpenID provider makes. */
export const FROM_PROVIDER = { isEmailProven: true, isProviderOnly: true } as const

const knownSender = (key: string): Sender => ({ key, isKnown: true })
