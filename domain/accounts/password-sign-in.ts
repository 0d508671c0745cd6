import { addressBlock } from '../../platform/common/client-address.js'
import { DomainError, notFound } from '../../platform/common/domain-error.js'
import { signIns } from '../../platform/common/events.js'
import { hashSecret } from '../../platform/common/secrets.js'
import { Part } from '../part.js'
import type { Account } from './account.js'
import { isHashable, normalizeEmail, readNewPassword } from './credentials.js'
import type { AccountDependencies } from './dependencies.js'
import { accountErrors } from './errors.js'
import { withoutSecrets } from './login-session.js'
import { hashNew } from './new-account.js'
import { createLink, linkSender } from './one-time-link.js'
import type { Sender } from './queue.js'
import type { AccountRecord } from './stores/types.js'

/** Wrong passwords recorded per account in 15 minutes, so that strangers cannot fill the activity of others. */
const RECORDED_FAILURES = 20
/** Lifetime of a link that an administrator makes. */
export const RESET_HOURS = 24

/** Signing in with a password, changing it, and the links that reset it. */
export class PasswordSignIn extends Part<AccountDependencies> {
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
    const record = await this.dependencies.store.findByEmail(email)
    const sender =
      record && record.id === knownAccountId
        ? knownSender(record.id)
        : { key: addressBlock(address), isKnown: false }
    const isCorrect = await this.#check(record, email, password, address, sender).catch(error => {
      if (error instanceof DomainError) signIns.publish({ result: 'throttled' })
      throw error
    })
    signIns.publish({ result: isCorrect && record ? 'succeeded' : 'failed' })
    if (!isCorrect || !record) return null
    const kind = record.id === knownAccountId ? 'signed-in' : 'signed-in-new'
    this.dependencies.activity.record({ kind, accountId: record.id, detail: addressBlock(address) })
    return withoutSecrets(record)
  }

  /** Whether this is the password of the account. Throttled like `signIn`. */
  async confirm(accountId: string, password: string, address: string): Promise<boolean> {
    const record = await this.dependencies.store.find(accountId)
    if (!record) return false
    return this.#check(record, record.email, password, address, knownSender(accountId))
  }

  /** Whether the account can sign in with a password. */
  async has(accountId: string): Promise<boolean> {
    const record = await this.dependencies.store.find(accountId)
    return Boolean(record?.passwordHash) && !this.#isProviderOnly(record)
  }

  /** Whether this account can only sign in at the OpenID provider. */
  async isProviderOnly(accountId: string): Promise<boolean> {
    return this.#isProviderOnly(await this.dependencies.store.find(accountId))
  }

  /** For the operator. Ends all login sessions of the account and allows it to sign in with a password. */
  async set(accountId: string, password: string): Promise<void> {
    const { store, activity } = this.dependencies
    const record = await store.find(accountId)
    if (!record) throw notFound('account')
    const passwordHash = await hashNew(this.dependencies, password, record.email)
    if (!(await store.setPassword(accountId, passwordHash, true))) throw notFound('account')
    activity.record({ kind: 'password-changed', accountId })
  }

  /**
   * Like `set`, but requires the current password and is throttled like `signIn`.
   * @returns false when the current password is wrong
   */
  async change(accountId: string, current: string, next: string, address: string): Promise<boolean> {
    const { store, activity, brand } = this.dependencies
    const record = await store.find(accountId)
    if (!record) return false
    await readNewPassword(next, { email: record.email, brand })
    if (!(await this.confirm(accountId, current, address))) return false
    const passwordHash = await hashNew(this.dependencies, next, record.email, knownSender(accountId))
    if (!(await store.setPassword(accountId, passwordHash, false))) throw notFound('account')
    activity.record({ kind: 'password-changed', accountId, detail: addressBlock(address) })
    return true
  }

  /**
   * Creates the token of a link that sets a new password once within `hours`, and revokes older ones. `email`: the link is
   * only shown in the mail of the account, and does nothing for one that is `isProviderOnly`.
   */
  async createResetToken(
    accountId: string,
    hours = RESET_HOURS,
    email: string | null = null,
  ): Promise<string> {
    const { store, activity } = this.dependencies
    if (!(await store.find(accountId))) throw notFound('account')
    const token = await createLink(this.dependencies, 'reset', hours, { accountId, email })
    activity.record({ kind: 'reset-link', accountId })
    return token
  }

  /**
   * Uses a link to reset a password. Ends all login sessions of the account.
   * @throws DomainError 400 for a password that `readNewPassword` refuses, 410 for a link that is not valid
   */
  async reset(token: string, password: string): Promise<Account> {
    const { store, invitations, activity, clock } = this.dependencies
    const tokenHash = hashSecret(token)
    const link = await invitations.find(tokenHash, clock())
    const record = link?.accountId && link.purpose === 'reset' ? await store.find(link.accountId) : null
    // A person whom the provider no longer admits can still read their mail.
    if (!record || (link?.email && this.#isProviderOnly(record))) throw accountErrors.linkUsed()
    const passwordHash = await hashNew(this.dependencies, password, record.email, linkSender(token))
    const account = await invitations.resetPassword(tokenHash, clock(), passwordHash)
    if (!account) throw accountErrors.linkUsed()
    activity.record({ kind: 'password-reset', accountId: account.id })
    return account
  }

  async #check(
    record: AccountRecord | null,
    email: string,
    password: string,
    address: string,
    sender: Sender,
  ): Promise<boolean> {
    const { throttle, hashes, activity } = this.dependencies
    const attempt = await throttle.reserve(email, address)
    const canBeHashed = isHashable(password)
    let isCorrect: boolean
    try {
      const mayMatch = canBeHashed && !this.#isProviderOnly(record)
      const hash = mayMatch ? (record?.passwordHash ?? null) : null
      isCorrect = await hashes.verify(canBeHashed ? password : '', hash, sender)
    } catch (error) {
      await attempt.abandoned()
      throw error
    }
    if (isCorrect) await attempt.succeeded()
    else if (record && attempt.failures < RECORDED_FAILURES) {
      activity.record({ kind: 'sign-in-failed', accountId: record.id, detail: addressBlock(address) })
    }
    return isCorrect
  }

  #isProviderOnly(record: AccountRecord | null): boolean {
    return this.dependencies.providerDecides && record?.isProviderOnly === true
  }
}

const knownSender = (key: string): Sender => ({ key, isKnown: true })
