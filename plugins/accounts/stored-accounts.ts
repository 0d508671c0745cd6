import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../clock.js'
import { DomainError, notFound } from '../domain-error.js'
import { hashSecret, newId, newSecret, type Random } from '../secret.js'
import type { Account, Accounts } from './account.js'
import { isHashable, normalizeEmail, readEmail, readNewPassword } from './credentials.js'
import { withoutSecrets } from './login-session.js'
import type { Passwords } from './password.js'
import type { AccountStore, Invitation, NewAccount, StoredAccount } from './store.js'
import type { SignInThrottle } from './throttle.js'

const HOUR_MS = 60 * 60_000
const SETUP_HOURS = 24
const INVITE_HOURS = 7 * 24

export interface AccountParts {
  store: AccountStore
  throttle: SignInThrottle
  passwords: Passwords
  clock: Clock
  random: Random
}

export class StoredAccounts implements Accounts {
  readonly #parts: AccountParts
  readonly #cleaning: ((accountId: string) => Promise<void>)[] = []

  constructor(parts: AccountParts) {
    this.#parts = parts
  }

  isEmpty(): Promise<boolean> {
    return this.#parts.store.isEmpty()
  }

  async add(email: string, password: string, role?: Account['role']): Promise<Account> {
    const account = await this.#parts.store.add(await this.#newAccount(email, password, role ?? null))
    if (!account) throw emailTaken()
    return account
  }

  /** The account of `ADMIN_EMAIL`, made only while there is none. */
  async addFirst(email: string, password: string): Promise<void> {
    if (await this.isEmpty()) {
      await this.#parts.store.addFirst(await this.#newAccount(email, password, 'admin'))
    }
  }

  list(): Promise<Account[]> {
    return this.#parts.store.list()
  }

  async find(id: string): Promise<Account | null> {
    const account = await this.#parts.store.find(id)
    return account && withoutSecrets(account)
  }

  async findByEmail(email: string): Promise<Account | null> {
    const account = await this.#parts.store.findByEmail(normalizeEmail(email))
    return account && withoutSecrets(account)
  }

  async setPassword(accountId: string, password: string): Promise<void> {
    const passwordHash = await this.#parts.passwords.hash(readNewPassword(password))
    if (!(await this.#parts.store.setPassword(accountId, passwordHash))) throw notFound('account')
  }

  async changePassword(accountId: string, current: string, next: string, address: string): Promise<boolean> {
    readNewPassword(next)
    const account = await this.#parts.store.find(accountId)
    if (!account || !(await this.#checkPassword(account, account.email, current, address))) return false
    await this.setPassword(accountId, next)
    return true
  }

  endSessions(accountId: string): Promise<void> {
    return this.#parts.store.raiseEpoch(accountId)
  }

  beforeRemoval(clean: (accountId: string) => Promise<void>): void {
    this.#cleaning.push(clean)
  }

  async remove(accountId: string): Promise<void> {
    const admins = (await this.#parts.store.list()).filter(account => account.role === 'admin')
    if (admins.length === 1 && admins[0]?.id === accountId) throw lastAdmin()
    for (const clean of this.#cleaning) await clean(accountId)
    const outcome = await this.#parts.store.remove(accountId)
    if (outcome === 'absent') throw notFound('account')
    if (outcome === 'last-admin') throw lastAdmin()
  }

  async signIn(email: string, password: string, address: string): Promise<Account | null> {
    const known = normalizeEmail(email)
    const account = await this.#parts.store.findByEmail(known)
    const right = await this.#checkPassword(account, known, password, address)
    return right && account ? withoutSecrets(account) : null
  }

  async #checkPassword(account: StoredAccount | null, email: string, password: string, address: string) {
    const attempt = await this.#parts.throttle.reserve(email, address)
    if (attempt.delay > 0) await sleep(attempt.delay)
    const usable = isHashable(password)
    let right: boolean
    try {
      const hash = usable ? (account?.passwordHash ?? null) : null
      right = await this.#parts.passwords.verify(usable ? password : '', hash)
    } catch (error) {
      await attempt.abandoned()
      throw error
    }
    if (right) await attempt.succeeded()
    return right
  }

  async createSetupToken(): Promise<string> {
    return this.#invite('setup', null, SETUP_HOURS)
  }

  async createInvitation(email: string | null): Promise<string> {
    return this.#invite('invite', email === null ? null : readEmail(email), INVITE_HOURS)
  }

  async #invite(purpose: Invitation['purpose'], email: string | null, hours: number): Promise<string> {
    const token = newSecret(this.#parts.random)
    const createdAt = this.#parts.clock()
    const expiresAt = createdAt + hours * HOUR_MS
    await this.#parts.store.addInvitation({
      tokenHash: hashSecret(token),
      purpose,
      email,
      createdAt,
      expiresAt,
    })
    return token
  }

  async findInvitation(token: string): Promise<Pick<Invitation, 'purpose' | 'email'> | null> {
    const invitation = await this.#parts.store.findInvitation(hashSecret(token), this.#parts.clock())
    if (!invitation || (invitation.purpose === 'setup' && !(await this.isEmpty()))) return null
    return { purpose: invitation.purpose, email: invitation.email }
  }

  async acceptInvitation(token: string, email: string, password: string): Promise<Account> {
    const invitation = await this.findInvitation(token)
    if (!invitation) throw linkUsed()
    if (invitation.email && invitation.email !== normalizeEmail(email)) {
      throw new DomainError(400, 'other_email', `This invitation is for ${invitation.email}.`)
    }
    const role = invitation.purpose === 'setup' ? 'admin' : 'member'
    const account = await this.#newAccount(email, password, role)
    const { store, clock } = this.#parts
    const outcome = await store.acceptInvitation(hashSecret(token), clock(), account)
    if (outcome === 'unknown') throw linkUsed()
    if (outcome === 'email-taken') throw emailTaken()
    return outcome
  }

  async #newAccount(email: string, password: string, role: NewAccount['role']): Promise<NewAccount> {
    const { random, clock, passwords } = this.#parts
    return {
      id: newId(random),
      email: readEmail(email),
      role,
      passwordHash: await passwords.hash(readNewPassword(password)),
      createdAt: clock(),
    }
  }
}

const lastAdmin = () => new DomainError(409, 'last_admin', 'The last administrator cannot be removed.')

const emailTaken = () => new DomainError(409, 'email_taken', 'There is already an account with this e-mail.')

const linkUsed = () =>
  new DomainError(410, 'link_used', 'This link has been used or has expired. Please ask for a new one.')
