import type { ClientAuth, Configuration } from 'openid-client'
import type { Clock } from '../../../platform/common/clock.js'
import type { Random } from '../../../platform/common/secrets.js'
import { Part } from '../../part.js'
import { accountErrors } from '../errors.js'
import { identityOf, type OpenIdIdentity, type ProviderRules } from './identity.js'

/** Timeout of each request to the provider. */
const TIMEOUT_SECONDS = 5
/** How long its metadata is used before it is read again. */
const METADATA_MS = 60 * 60_000
const SECRET_BYTES = 32

export interface ProviderSettings extends ProviderRules {
  issuer: string
  clientId: string
  clientSecret: string
}

/** State that only the browser that began a sign-in has. */
export interface SignInSecrets {
  state: string
  nonce: string
  /** The PKCE verifier (RFC 7636). */
  verifier: string
}

interface ProviderDependencies {
  settings: ProviderSettings
  redirectUri: string
  clock: Clock
  random: Random
  /** Called with the reason why the provider could not be used. */
  onFailure: (error: Error) => void
}

/**
 * The OpenID provider at which people sign in. It is first asked when somebody wants to sign in, so that the service
 * starts and passwords work without it. `openid-client` checks `state`, `iss` (RFC 9207), `nonce`, and the signature,
 * issuer, audience and times of the ID token.
 */
export class OpenIdProvider extends Part<ProviderDependencies> {
  /** Its host, as shown to people. */
  readonly name: string
  readonly rules: ProviderRules
  #metadata: { promise: Promise<Configuration>; until: number } | null = null

  constructor(dependencies: ProviderDependencies) {
    super(dependencies)
    const { issuer, domains, groups } = dependencies.settings
    this.name = new URL(issuer).host
    this.rules = { domains, groups }
  }

  /**
   * Begins a sign-in. @returns the URL at the provider to redirect to, and the state to store in the browser
   * @throws DomainError 503 if the provider does not answer
   */
  async begin(): Promise<{ url: string; secrets: SignInSecrets }> {
    const config = await this.#configuration()
    const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client')
    const secret = () => this.dependencies.random(SECRET_BYTES).toString('base64url')
    const secrets = { state: secret(), nonce: secret(), verifier: secret() }
    const url = buildAuthorizationUrl(config, {
      redirect_uri: this.dependencies.redirectUri,
      scope: this.#scope(config),
      state: secrets.state,
      nonce: secrets.nonce,
      code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, secrets }
  }

  /**
   * The identity of a person returning from the provider. `query` is the query string of the callback.
   * @throws DomainError 403 if the provider refused or its response does not belong to this sign-in, 503 if it does not
   * answer
   */
  async finish(query: string, secrets: SignInSecrets): Promise<OpenIdIdentity> {
    const config = await this.#configuration()
    const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
    const { redirectUri, settings } = this.dependencies
    try {
      const tokens = await authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims?.sub) throw new Error('no subject in the ID token')
      const isComplete = 'email' in claims && (settings.groups.length === 0 || 'groups' in claims)
      const more =
        isComplete || !config.serverMetadata().userinfo_endpoint
          ? []
          : [await fetchUserInfo(config, tokens.access_token, claims.sub)]
      return identityOf(claims.iss, claims.sub, [claims, ...more])
    } catch (error) {
      throw this.#failure(error as Error)
    }
  }

  /** `groups` is not a standard scope: some providers need it for the claim, others refuse unknown scopes. */
  #scope(config: Configuration): string {
    const wantsGroups =
      this.rules.groups.length > 0 && config.serverMetadata().scopes_supported?.includes('groups')
    return `openid email profile${wantsGroups ? ' groups' : ''}`
  }

  async #configuration(): Promise<Configuration> {
    const now = this.dependencies.clock()
    if (!this.#metadata || this.#metadata.until <= now)
      this.#metadata = { promise: discoverProvider(this.dependencies.settings), until: now + METADATA_MS }
    const read = this.#metadata
    try {
      return await read.promise
    } catch (error) {
      if (this.#metadata === read) this.#metadata = null
      throw this.#failure(error as Error)
    }
  }

  /** The message for people; the reason is in the log. */
  #failure(error: Error) {
    this.dependencies.onFailure(error)
    const { name } = this
    if (isUnreachable(error)) return accountErrors.providerUnreachable(name)
    const isRefusal = 'error' in error && error.error === 'access_denied'
    return isRefusal ? accountErrors.providerRefused(name) : accountErrors.providerAnswer(name)
  }
}

/** Reads the metadata of a provider. @throws what openid-client throws */
export async function discoverProvider({
  issuer,
  clientId,
  clientSecret,
}: Omit<ProviderSettings, keyof ProviderRules>): Promise<Configuration> {
  const {
    discovery,
    allowInsecureRequests,
    enableNonRepudiationChecks,
    ClientSecretBasic,
    ClientSecretPost,
  } = await import('openid-client')
  /** Without a list, a provider supports `client_secret_basic` (OpenID Connect Discovery §3). */
  const authenticate: ClientAuth = (server, client, body, headers) => {
    const takesPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
    const method = takesPost ? ClientSecretPost(clientSecret) : ClientSecretBasic(clientSecret)
    method(server, client, body, headers)
  }
  return discovery(new URL(issuer), clientId, clientSecret, authenticate, {
    timeout: TIMEOUT_SECONDS,
    // Without the first, the signature of an ID token received over TLS is not checked (OpenID Connect Core
    // §3.1.3.7). Settings allow the second on loopback only.
    execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
  })
}

/** Whether the provider did not answer, or answered with a server error. */
function isUnreachable(error: Error & { status?: number }): boolean {
  const { name, message, cause, status = 0 } = error
  if (name === 'TimeoutError' || message === 'fetch failed' || status >= 500) return true
  return cause instanceof Response ? cause.status >= 500 : cause instanceof Error && isUnreachable(cause)
}
