import { setTimeout as sleep } from 'node:timers/promises'
import { addressBlock } from '../common/client-address.js'
import type { Clock } from '../common/clock.js'
import { DomainError, notFound } from '../common/domain-error.js'
import { hashSecret, newId, newSecret, type Random } from '../common/secrets.js'
import type { Account, AccountPage, Accounts } from './account.js'
import { isHashable, normalizeEmail, readEmail, readNewPassword } from './credentials.js'
import { withoutSecrets } from './login-session.js'
import type { Passwords } from './password.js'
import type { Sender } from './queue.js'
import type { AccountStore, Invitation, NewAccount, StoredAccount } from './stores/types.js'
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

  list(page?: AccountPage): Promise<Account[]> {
    return this.#parts.store.list(page)
  }

  async find(id: string): Promise<Account | null> {
    const account = await this.#parts.store.find(id)
    return account && withoutSecrets(account)
  }

  async findByEmail(email: string): Promise<Account | null> {
    const account = await this.#parts.store.findByEmail(normalizeEmail(email))
    return account && withoutSecrets(account)
  }

  setPassword(accountId: string, password: string): Promise<void> {
    return this.#setPassword(accountId, password)
  }

  async #setPassword(accountId: string, password: string, sender?: Sender): Promise<void> {
    const passwordHash = await this.#parts.passwords.hash(readNewPassword(password), sender)
    if (!(await this.#parts.store.setPassword(accountId, passwordHash))) throw notFound('account')
  }

  async changePassword(accountId: string, current: string, next: string, address: string): Promise<boolean> {
    readNewPassword(next)
    const account = await this.#parts.store.find(accountId)
    const sender = known(accountId)
    if (!account || !(await this.#checkPassword(account, account.email, current, address, sender)))
      return false
    await this.#setPassword(accountId, next, sender)
    return true
  }

  endSessions(accountId: string): Promise<void> {
    return this.#parts.store.raiseEpoch(accountId)
  }

  beforeRemoval(clean: (accountId: string) => Promise<void>): void {
    this.#cleaning.push(clean)
  }

  async remove(accountId: string): Promise<void> {
    if (await this.#parts.store.isLastAdmin(accountId)) throw lastAdmin()
    for (const clean of this.#cleaning) await clean(accountId)
    const outcome = await this.#parts.store.remove(accountId)
    if (outcome === 'absent') throw notFound('account')
    if (outcome === 'last-admin') throw lastAdmin()
  }

  async signIn(
    text: string,
    password: string,
    address: string,
    knownAccountId: string | null = null,
  ): Promise<Account | null> {
    const email = normalizeEmail(text)
    const account = await this.#parts.store.findByEmail(email)
    const sender =
      account && account.id === knownAccountId
        ? known(account.id)
        : { key: addressBlock(address), isKnown: false }
    const right = await this.#checkPassword(account, email, password, address, sender)
    return right && account ? withoutSecrets(account) : null
  }

  async #checkPassword(
    account: StoredAccount | null,
    email: string,
    password: string,
    address: string,
    sender: Sender,
  ) {
    const attempt = await this.#parts.throttle.reserve(email, address)
    if (attempt.delay > 0) await sleep(attempt.delay)
    const usable = isHashable(password)
    let right: boolean
    try {
      const hash = usable ? (account?.passwordHash ?? null) : null
      right = await this.#parts.passwords.verify(usable ? password : '', hash, sender)
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
    const tokenHash = hashSecret(token)
    const account = await this.#newAccount(email, password, role, known(`link ${tokenHash}`))
    const { store, clock } = this.#parts
    const outcome = await store.acceptInvitation(tokenHash, clock(), account)
    if (outcome === 'unknown') throw linkUsed()
    if (outcome === 'email-taken') throw emailTaken()
    return outcome
  }

  async #newAccount(
    email: string,
    password: string,
    role: NewAccount['role'],
    sender?: Sender,
  ): Promise<NewAccount> {
    const { random, clock, passwords } = this.#parts
    return {
      id: newId(random),
      email: readEmail(email),
      role,
      passwordHash: await passwords.hash(readNewPassword(password), sender),
      createdAt: clock(),
    }
  }
}

const known = (key: string): Sender => ({ key, isKnown: true })

const lastAdmin = () => new DomainError(409, 'last_admin', 'The last administrator cannot be removed.')

const emailTaken = () => new DomainError(409, 'email_taken', 'There is already an account with this e-mail.')

const linkUsed = () =>
  new DomainError(410, 'link_used', 'This link has been used or has expired. Please ask for a new one.')
