import { addressBlock } from '../../../platform/common/client-address.js'
import type { Clock } from '../../../platform/common/clock.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { MINUTE_MS } from '../../../platform/common/durations.js'
import type { Seal } from '../../../platform/common/seal.js'
import { newId, type Random } from '../../../platform/common/secrets.js'
import type { ThrottleStore } from '../../../platform/limits/throttle-store.js'
import type { Activity } from '../../activity/activity.js'
import { Part } from '../../part.js'
import type { Account } from '../account.js'
import type { Accounts } from '../accounts.js'
import { readEmail } from '../credentials.js'
import { accountErrors } from '../errors.js'
import { withoutSecrets } from '../login-session.js'
import { FROM_PROVIDER } from '../new-account.js'
import type { OpenIdIdentityStore } from '../stores/openid-identity.sql.js'
import type { SignInThrottle } from '../throttle.js'
import { isAllowed, type OpenIdIdentity } from './identity.js'
import type { OpenIdProvider, SignInSecrets } from './provider.js'

/** Maximum time a person may take at the provider. */
export const SIGN_IN_MINUTES = 15

/** The action after the sign-in. */
export interface AfterSignIn {
  /** A sealed authorization request. */
  request?: string | undefined
  /** A sealed page or form. */
  form?: string | undefined
  /** The token of an invitation to accept. */
  token?: string | undefined
}

/** A sign-in in progress, as sealed for the browser. */
export interface BegunSignIn extends SignInSecrets {
  next: AfterSignIn
  expiresAt: number
}

interface ProviderSignInDependencies {
  provider: OpenIdProvider
  store: OpenIdIdentityStore
  seal: Seal<BegunSignIn>
  throttle: SignInThrottle
  /** Remembers which sign-ins were completed. */
  completed: ThrottleStore
  activity: Pick<Activity, 'record'>
  accounts: Pick<Accounts, 'records' | 'findByEmail' | 'endUses' | 'invitations' | 'passwords'>
  clock: Clock
  random: Random
}

/** The account that signed in. `isClaimed`: all other ways into the account were removed, because its address had not been proven. */
export interface SignedIn {
  account: Account
  isClaimed: boolean
}

/** Signing in at the OpenID provider (ADR 64). */
export class ProviderSignIn extends Part<ProviderSignInDependencies> {
  /** The host of the provider, as shown to people. */
  readonly name: string

  constructor(dependencies: ProviderSignInDependencies) {
    super(dependencies)
    this.name = dependencies.provider.name
  }

  /**
   * @returns the URL to redirect to, and the sealed sign-in, which the browser returns under this `state`
   * @throws DomainError 503 if the provider does not answer
   */
  async begin(next: AfterSignIn, browser: string): Promise<{ url: string; state: string; sealed: string }> {
    const { provider, seal, clock } = this.dependencies
    const { url, secrets } = await provider.begin()
    const expiresAt = clock() + SIGN_IN_MINUTES * MINUTE_MS
    return { url, state: secrets.state, sealed: seal.seal({ ...secrets, next, expiresAt }, browser) }
  }

  /** A sign-in begun by one of these browsers, or null. */
  open(sealed: string, browsers: readonly string[]): (BegunSignIn & { id: string }) | null {
    const begun = this.dependencies.seal.open(sealed, browsers)
    return begun && begun.expiresAt > this.dependencies.clock() ? begun : null
  }

  /**
   * Completes a sign-in, once. Failures are throttled like wrong passwords.
   * @param query the query string of the provider's redirect
   * @throws DomainError 403 if it cannot be completed or the identity may not sign in, 429, 503
   */
  async complete(
    begun: BegunSignIn & { id: string },
    query: string,
    address: string,
  ): Promise<OpenIdIdentity> {
    const { provider, throttle, completed } = this.dependencies
    const attempt = await throttle.reserveAddress(address)
    const first = await completed.take(`provider:${begun.id}`, 1, SIGN_IN_MINUTES * MINUTE_MS)
    if (!first.isAllowed) throw accountErrors.signInExpired()
    const identity = await provider.finish(query, begun)
    if (!isAllowed(identity, provider.rules)) {
      // Rules about the address cannot be checked without it.
      if (identity.email === null && provider.rules.domains.length > 0)
        throw accountErrors.unverifiedEmail(this.name)
      throw accountErrors.notAllowed(this.name)
    }
    await attempt.succeeded()
    return identity
  }

  /**
   * The account of an identity, which is created or linked at the first sign-in.
   * @throws DomainError 403 without an account or a verified address, 409 if the account has another identity
   */
  async accountOf(
    identity: OpenIdIdentity,
    address: string,
    knownAccountId: string | null,
  ): Promise<SignedIn> {
    const found = await this.dependencies.store.find(identity)
    const first = found ? { account: found, isClaimed: false } : await this.#firstSignIn(identity)
    const account = withoutSecrets(first.account)
    const kind = account.id === knownAccountId ? 'signed-in' : 'signed-in-new'
    const detail = `${addressBlock(address)}, with ${this.name}`
    this.dependencies.activity.record({ kind, accountId: account.id, detail })
    return { account, isClaimed: first.isClaimed }
  }

  /**
   * Like `accountOf`, but creates an account with the token of an invitation, if that admits new people.
   * @throws DomainError as `accountOf`; 400 if it is for another address, 410 if it is not valid
   */
  async accept(
    token: string,
    identity: OpenIdIdentity,
    address: string,
    knownAccountId: string | null,
  ): Promise<SignedIn> {
    const { accounts } = this.dependencies
    const { email } = identity
    const hasAccount =
      (await this.dependencies.store.find(identity)) ?? (email && (await accounts.findByEmail(email)))
    const admitsNew = (await accounts.invitations.find(token))?.admitsNew ?? true
    if (!hasAccount && email !== null && admitsNew)
      return { account: await accounts.invitations.acceptAs(identity, email, token), isClaimed: false }
    return this.accountOf(identity, address, knownAccountId)
  }

  /** The issuers at which the account has an identity. */
  issuersOf(accountId: string): Promise<string[]> {
    return this.dependencies.store.issuersOf(accountId)
  }

  /**
   * Unlinks the account's identity at an issuer.
   * @throws DomainError 404, 409 if the account could no longer sign in
   */
  async unlink(accountId: string, issuer: string): Promise<void> {
    if (await this.dependencies.accounts.passwords.isProviderOnly(accountId)) throw accountErrors.lastWay()
    const outcome = await this.dependencies.store.unlink(accountId, issuer)
    if (outcome === 'absent') throw notFound('sign-in')
    if (outcome === 'last-way') throw accountErrors.lastWay()
    this.dependencies.activity.record({ kind: 'identity-unlinked', accountId, detail: hostOf(issuer) })
  }

  async #firstSignIn(identity: OpenIdIdentity) {
    const { provider, store, activity, accounts, clock, random } = this.dependencies
    if (identity.email === null) throw accountErrors.unverifiedEmail(this.name)
    const email = readEmail(identity.email)
    const { domains, groups } = provider.rules
    // The first account can only be created with the set-up link.
    const mayCreate = domains.length + groups.length > 0 && !(await accounts.records.isEmpty())
    const created = { id: newId(random), email, passwordHash: '', createdAt: clock(), ...FROM_PROVIDER }
    const toCreate = mayCreate ? { ...created, role: 'member' as const } : null
    // Ends connections twice: before, because the process may die in between, and after, because one may begin in between.
    const toClaim = await store.toClaim(identity, email)
    if (toClaim) await accounts.endUses(toClaim)
    const linked = await store.link(identity, email, clock(), toCreate)
    if (linked.outcome === 'no-account') throw accountErrors.noAccount(email)
    if (linked.outcome === 'other-identity') throw accountErrors.otherIdentity(email)
    const { account } = linked
    const isClaimed = linked.outcome === 'claimed'
    if (isClaimed) await accounts.endUses(account.id)
    if (isClaimed || linked.outcome === 'linked')
      activity.record({ kind: 'identity-linked', accountId: account.id, detail: this.name })
    if (isClaimed && account.passwordHash !== '')
      activity.record({ kind: 'password-removed', accountId: account.id })
    return { account, isClaimed }
  }
}

/** The name of an issuer, as shown to people. */
export const hostOf = (issuer: string) => new URL(issuer).host
