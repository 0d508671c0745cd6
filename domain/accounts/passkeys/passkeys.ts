import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { addressBlock } from '../../../platform/common/client-address.js'
import type { Clock } from '../../../platform/common/clock.js'
import { notFound } from '../../../platform/common/domain-error.js'
import type { Seal } from '../../../platform/common/seal.js'
import type { ThrottleStore } from '../../../platform/limits/throttle-store.js'
import type { Activity } from '../../activity/activity.js'
import { Part } from '../../part.js'
import type { Account } from '../account.js'
import type { Accounts } from '../accounts.js'
import { accountErrors } from '../errors.js'
import { withoutSecrets } from '../login-session.js'
import type { PasskeyStore } from '../stores/passkey.sql.js'
import type { SignInThrottle } from '../throttle.js'
import type { Passkey } from './passkey.js'

const CHALLENGE_MS = 5 * 60_000
/** Ed25519, ES256 and RS256 (IANA COSE registry). Every authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257]
const MAX_NAME_LENGTH = 100

/** The purpose of a challenge, sealed for one browser. */
export interface Challenge {
  /** The account that adds a passkey, or null for a sign-in. */
  accountId: string | null
  expiresAt: number
}

type OpenedChallenge = Challenge & { id: string }

interface PasskeysDependencies {
  store: PasskeyStore
  accounts: Pick<Accounts, 'passwords'>
  seal: Seal<Challenge>
  throttle: SignInThrottle
  /** Remembers which challenges were used. */
  used: ThrottleStore
  activity: Pick<Activity, 'record'>
  origin: string
  brand: string
  onFailure: (error: Error) => void
  clock: Clock
}

/**
 * Passkeys: discoverable WebAuthn credentials with user verification (ADR 64). A challenge is itself the sealed text that
 * with its purpose, so nothing is stored before it is used.
 */
export class Passkeys extends Part<PasskeysDependencies> {
  readonly #rpId: string

  constructor(dependencies: PasskeysDependencies) {
    super(dependencies)
    this.#rpId = new URL(dependencies.origin).hostname
  }

  listFor(accountId: string): Promise<Passkey[]> {
    return this.dependencies.store.listFor(accountId)
  }

  /** For `navigator.credentials.get()`. */
  requestOptions(browser: string): PublicKeyCredentialRequestOptionsJSON {
    return {
      challenge: this.#challenge(null, browser),
      rpId: this.#rpId,
      timeout: CHALLENGE_MS,
      userVerification: 'required',
    }
  }

  /**
   * For `navigator.credentials.create()`. The caller has checked that the owner of the account is asking.
   * @throws DomainError 403 if the account may only sign in at the OpenID provider
   */
  async creationOptions(account: Account, browser: string): Promise<PublicKeyCredentialCreationOptionsJSON> {
    await this.#mayHavePasskeys(account.id)
    const existing = await this.listFor(account.id)
    return {
      challenge: this.#challenge(account.id, browser),
      rp: { id: this.#rpId, name: this.dependencies.brand },
      user: {
        id: userIdOf(account),
        name: account.email,
        displayName: account.email,
      },
      pubKeyCredParams: ALGORITHMS.map(alg => ({ alg, type: 'public-key' })),
      timeout: CHALLENGE_MS,
      attestation: 'none',
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
      excludeCredentials: existing.map(({ id }) => ({ id, type: 'public-key' })),
    }
  }

  /**
   * Adds the passkey that the browser has created.
   * @param credential the browser's `RegistrationResponseJSON`, as text
   * @throws DomainError 400 if it does not answer a challenge for this account and browser, 403, 409
   */
  async add(accountId: string, name: string, credential: string, browsers: readonly string[]): Promise<void> {
    const { store, activity, clock } = this.dependencies
    await this.#mayHavePasskeys(accountId)
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
    const { expected, use } = this.#expected(accountId, browsers)
    const { registrationInfo } = await this.#checked(() =>
      verifyRegistrationResponse({
        response: JSON.parse(credential) as RegistrationResponseJSON,
        ...expected,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    )
    if (!registrationInfo) throw accountErrors.passkeyAnswer()
    await use()
    const { id, publicKey, counter } = registrationInfo.credential
    const key = Buffer.from(publicKey).toString('base64url')
    const shownName = nameOf(name)
    const times = { createdAt: clock(), lastUsedAt: null }
    const outcome = await store.add({ id, accountId, name: shownName, publicKey: key, counter, ...times })
    if (outcome === 'known') throw accountErrors.passkeyKnown()
    if (outcome === 'too many') throw accountErrors.tooManyPasskeys()
    activity.record({ kind: 'passkey-added', accountId, detail: shownName })
  }

  /**
   * The account that signs in. Failures are throttled like wrong passwords.
   * @param credential the browser's `AuthenticationResponseJSON`, as text
   * @throws DomainError 400 if the passkey is unknown or the response does not answer a challenge for this browser, 403, 429
   */
  async signIn(
    credential: string,
    browsers: readonly string[],
    address: string,
    knownAccountId: string | null,
  ): Promise<Account> {
    const { store, throttle, activity, clock } = this.dependencies
    const attempt = await throttle.reserveAddress(address)
    const response = await this.#checked(async () => JSON.parse(credential) as AuthenticationResponseJSON)
    const found = typeof response?.id === 'string' ? await store.find(response.id) : null
    const userHandle = response?.response?.userHandle
    if (!found || (userHandle && userHandle !== userIdOf(found.account))) throw accountErrors.passkeyAnswer()
    const { passkey, account } = found
    await this.#mayHavePasskeys(account.id)
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    // It also refuses a counter that has not increased: a copy of the authenticator may exist (WebAuthn §6.1.1).
    const { expected, use } = this.#expected(null, browsers)
    const { verified, authenticationInfo } = await this.#checked(() =>
      verifyAuthenticationResponse({
        response,
        ...expected,
        credential: {
          id: passkey.id,
          publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
          counter: passkey.counter,
        },
      }),
    )
    if (!verified) throw accountErrors.passkeyAnswer()
    await use()
    await store.noteUse(passkey, authenticationInfo.newCounter, clock())
    await attempt.succeeded()
    const kind = account.id === knownAccountId ? 'signed-in' : 'signed-in-new'
    const detail = `${addressBlock(address)}, with the passkey “${passkey.name}”`
    activity.record({ kind, accountId: account.id, detail })
    return withoutSecrets(account)
  }

  /** @throws notFound */
  async rename(accountId: string, id: string, name: string): Promise<void> {
    if (!(await this.dependencies.store.rename(accountId, id, nameOf(name)))) throw notFound('passkey')
  }

  /** @throws DomainError 404, 409 if the account could no longer sign in */
  async remove(accountId: string, id: string): Promise<void> {
    const outcome = await this.dependencies.store.remove(accountId, id)
    if (outcome === 'absent') throw notFound('passkey')
    if (outcome === 'last-way') throw accountErrors.lastWay()
    this.dependencies.activity.record({ kind: 'passkey-removed', accountId })
  }

  /** Removes the password. @throws DomainError 409 without a passkey */
  async removePassword(accountId: string): Promise<void> {
    if (!(await this.dependencies.store.removePassword(accountId))) throw accountErrors.lastWay()
    this.dependencies.activity.record({ kind: 'password-removed', accountId })
  }

  async #mayHavePasskeys(accountId: string): Promise<void> {
    if (await this.dependencies.accounts.passwords.isProviderOnly(accountId))
      throw accountErrors.providerOnly()
  }

  #challenge(accountId: string | null, browser: string): string {
    const { seal, clock } = this.dependencies
    return seal.seal({ accountId, expiresAt: clock() + CHALLENGE_MS }, browser)
  }

  /**
   * What an answer must contain: a challenge for this purpose and browser. `use` throws DomainError 400 if it was used
   * before.
   */
  #expected(accountId: string | null, browsers: readonly string[]) {
    const { seal, used, origin, clock } = this.dependencies
    let challenge: OpenedChallenge | null = null
    const expectedChallenge = (text: string) => {
      const opened = seal.open(text, browsers)
      challenge = opened && opened.expiresAt > clock() && opened.accountId === accountId ? opened : null
      return challenge !== null
    }
    const use = async () => {
      const key = challenge && `passkey:${challenge.id}`
      const isFirst = key && (await used.take(key, 1, CHALLENGE_MS)).isAllowed
      if (!isFirst) throw accountErrors.passkeyAnswer()
    }
    const expected = { expectedChallenge, expectedOrigin: origin, expectedRPID: this.#rpId }
    return { expected: { ...expected, requireUserVerification: true }, use }
  }

  /** The library and `JSON.parse` throw for every answer that is not valid. */
  async #checked<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      this.dependencies.onFailure(error as Error)
      throw accountErrors.passkeyAnswer()
    }
  }
}

/** The user handle that authenticators store for the account. Not a secret, and without personal data (WebAuthn §14.6.1). */
const userIdOf = ({ id }: Pick<Account, 'id'>) => Buffer.from(id).toString('base64url')

const nameOf = (text: string) => text.trim().slice(0, MAX_NAME_LENGTH) || 'Passkey'
