import { notFound } from '../../platform/common/domain-error.js'
import { Part } from '../part.js'
import type { Account } from './account.js'
import { normalizeEmail } from './credentials.js'
import type { AccountDependencies } from './dependencies.js'
import { accountErrors } from './errors.js'
import { Invitations } from './invitations.js'
import { withoutSecrets } from './login-session.js'
import { newAccount } from './new-account.js'
import { PasswordSignIn } from './password-sign-in.js'
import type { AccountStore } from './stores/account.sql.js'

type ReadOrSet =
  | ('isEmpty' | 'list' | 'administrators' | 'isLastAdmin' | 'hasAsked')
  | ('wantsMail' | 'setWantsMail' | 'endSessions')

/** Accounts, how people sign in to them with passwords, and the one-time links that create them. */
export class Accounts extends Part<AccountDependencies> {
  /** What needs no rule of its own. */
  readonly records: Pick<AccountStore, ReadOrSet>
  readonly passwords: PasswordSignIn
  readonly invitations: Invitations
  readonly #removalHooks: ((accountId: string) => Promise<void>)[] = []
  readonly #claimHooks: ((accountId: string) => Promise<void>)[] = []

  constructor(dependencies: AccountDependencies) {
    super(dependencies)
    this.records = dependencies.store
    this.passwords = new PasswordSignIn(dependencies)
    this.invitations = new Invitations(dependencies)
  }

  /**
   * @throws DomainError 400 for an invalid e-mail or a password that `readNewPassword` refuses, 409 when the e-mail
   * is taken
   */
  async add(email: string, password: string, role?: Account['role']): Promise<Account> {
    const isEmailProven = true
    const account = await this.dependencies.store.add(
      await newAccount(this.dependencies, email, password, { role: role ?? null, isEmailProven }),
    )
    if (!account) throw accountErrors.emailTaken()
    return account
  }

  /** Creates the account of `ADMIN_EMAIL` unless an account exists. */
  async addFirst(email: string, password: string): Promise<void> {
    if (await this.records.isEmpty()) {
      const first = { role: 'admin', isEmailProven: true } as const
      await this.dependencies.store.addFirst(await newAccount(this.dependencies, email, password, first))
    }
  }

  async find(id: string): Promise<Account | null> {
    const record = await this.dependencies.store.find(id)
    return record && withoutSecrets(record)
  }

  async findByEmail(email: string): Promise<Account | null> {
    const record = await this.dependencies.store.findByEmail(normalizeEmail(email))
    return record && withoutSecrets(record)
  }

  /** Notes that the account has asked a question. Writes only the first time. */
  async noteQuestion(accountId: string): Promise<void> {
    const { store, clock } = this.dependencies
    if (!(await store.hasAsked(accountId))) await store.noteQuestion(accountId, clock())
  }

  /** Adds a hook that runs before an account is removed, so that each domain can remove its own data of the account. */
  beforeRemoval(hook: (accountId: string) => Promise<void>): void {
    this.#removalHooks.push(hook)
  }

  /**
   * Adds a hook that ends all access to an account when somebody else has proven its address. It may run more than
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
    if (await this.dependencies.store.isLastAdmin(accountId)) throw accountErrors.lastAdmin()
    for (const hook of this.#removalHooks) await hook(accountId)
    const outcome = await this.dependencies.store.remove(accountId)
    if (outcome === 'absent') throw notFound('account')
    if (outcome === 'last-admin') throw accountErrors.lastAdmin()
    // After the removal, so that data written in the meantime is removed as well.
    await this.dependencies.activity.forget('account_id', accountId)
  }

  /** @throws DomainError 404, 409 for the last admin */
  async setRole(accountId: string, role: Account['role']): Promise<void> {
    const outcome = await this.dependencies.store.setRole(accountId, role)
    if (outcome === 'absent') throw notFound('account')
    if (outcome === 'last-admin') throw accountErrors.lastAdminRole()
    this.dependencies.activity.record({ kind: 'role-changed', accountId, detail: role })
  }
}
