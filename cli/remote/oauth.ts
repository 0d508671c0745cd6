import type { AuthorizationServer, Client, TokenEndpointResponse } from 'oauth4webapi'
import type { Clock } from '../../platform/common/clock.js'
import { CommandError } from '../command.js'
import { send } from './network.js'

/** The state of a sign-in. */
export interface Tokens {
  accessToken: string
  /** Null: the sign-in ends with the access token. */
  refreshToken: string | null
  /** Milliseconds since 1970. */
  expiresAt: number
  scope: string
}

/** The server no longer accepts the sign-in. */
export class SignedOut extends CommandError {}

const SCOPE = 'vault:read vault:write'
const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
] as const
/** Default if the server does not send the lifetime of a token (RFC 6749 §5.1). */
const DEFAULT_SECONDS = 300

/** The API of a server, as a protected resource (RFC 9728) and as an audience (RFC 8707). */
export const apiOf = (server: string): string => `${server}/api/v1`

/** The OAuth client of one server. */
export class OAuthClient {
  readonly #oauth: typeof import('oauth4webapi')
  readonly #server: string
  readonly #authorizationServer: AuthorizationServer

  private constructor(
    oauth: typeof import('oauth4webapi'),
    server: string,
    authorizationServer: AuthorizationServer,
  ) {
    this.#oauth = oauth
    this.#server = server
    this.#authorizationServer = authorizationServer
  }

  /** Reads the server's metadata (RFC 9728 §3, RFC 8414 §3). */
  static async discover(server: string): Promise<OAuthClient> {
    const oauth = await import('oauth4webapi')
    return inWords(server, async () => {
      const resource = new URL(apiOf(server))
      const response = await oauth.resourceDiscoveryRequest(resource, optionsOf(oauth, server))
      if (response.status === 404)
        throw new CommandError(`There is no svc at ${server}, or one that is too old to sign in to.`)
      await checkName(server, response.clone())
      const { authorization_servers: [issuer = ''] = [] } = await oauth.processResourceDiscoveryResponse(
        resource,
        response,
      )
      requireOwn(server, issuer)
      const found = await oauth.discoveryRequest(new URL(issuer), {
        algorithm: 'oauth2',
        ...optionsOf(oauth, server),
      })
      const metadata = await oauth.processDiscoveryResponse(new URL(issuer), found)
      for (const name of ENDPOINTS) if (metadata[name] !== undefined) requireOwn(server, metadata[name])
      return new OAuthClient(oauth, server, metadata)
    })
  }

  /** Registers this program as a native app (RFC 7591, RFC 8252 §8.4). Returns its client id. */
  register(name: string, redirectUri: string): Promise<string> {
    return this.#inWords(async () => {
      const response = await this.#oauth.dynamicClientRegistrationRequest(
        this.#authorizationServer,
        {
          client_name: name,
          application_type: 'native',
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: 'none',
        },
        this.#options,
      )
      if (response.status === 429) throw new CommandError(tooMany(this.#server, response))
      const client = await this.#oauth.processDynamicClientRegistrationResponse(response)
      return client.client_id
    })
  }

  newState = (): string => this.#oauth.generateRandomState()

  /** The address for the person's approval, and the state to keep until the answer arrives. */
  async authorization(clientId: string, redirectUri: string, state: string) {
    const verifier = this.#oauth.generateRandomCodeVerifier()
    const url = new URL(this.#authorizationServer.authorization_endpoint ?? '')
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: await this.#oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      scope: SCOPE,
      state,
      resource: apiOf(this.#server),
    }).toString()
    return { url, verifier }
  }

  /** Exchanges the code in the address that the browser was redirected to (RFC 6749 §4.1.3, RFC 9207). */
  exchange(
    clientId: string,
    answer: URL,
    { redirectUri, state, verifier }: { redirectUri: string; state: string; verifier: string },
    clock: Clock,
  ): Promise<Tokens> {
    return this.#inWords(async () => {
      const client = { client_id: clientId }
      const server = this.#authorizationServer
      const response = await this.#oauth.authorizationCodeGrantRequest(
        server,
        client,
        this.#oauth.None(),
        this.#oauth.validateAuthResponse(server, client, answer, state),
        redirectUri,
        verifier,
        this.#forApi,
      )
      return tokensOf(
        await this.#oauth.processAuthorizationCodeResponse(server, client, response),
        null,
        clock,
      )
    })
  }

  /** Consumes the refresh token and returns its successors (RFC 6749 §6). @throws SignedOut */
  refresh(clientId: string, { refreshToken }: Tokens, clock: Clock): Promise<Tokens> {
    return this.#inWords(async () => {
      if (refreshToken === null) throw signedOut(this.#server)
      const client: Client = { client_id: clientId }
      const server = this.#authorizationServer
      const none = this.#oauth.None()
      const response = await this.#oauth.refreshTokenGrantRequest(
        server,
        client,
        none,
        refreshToken,
        this.#forApi,
      )
      return tokensOf(
        await this.#oauth.processRefreshTokenResponse(server, client, response),
        refreshToken,
        clock,
      )
    })
  }

  /** Ends the sign-in (RFC 7009 §2.1). */
  revoke(clientId: string, { accessToken, refreshToken }: Tokens): Promise<void> {
    return this.#inWords(async () => {
      const client: Client = { client_id: clientId }
      const response = await this.#oauth.revocationRequest(
        this.#authorizationServer,
        client,
        this.#oauth.None(),
        refreshToken ?? accessToken,
        this.#options,
      )
      await this.#oauth.processRevocationResponse(response)
    })
  }

  get #options() {
    return optionsOf(this.#oauth, this.#server)
  }

  get #forApi() {
    return { ...this.#options, additionalParameters: { resource: apiOf(this.#server) } }
  }

  #inWords = <Result>(work: () => Promise<Result>) => inWords(this.#server, work)
}

/** Only loopback addresses are http (`serverAddress`). */
const optionsOf = (oauth: typeof import('oauth4webapi'), server: string) => ({
  [oauth.allowInsecureRequests]: server.startsWith('http:'),
  [oauth.customFetch]: (url: string, { headers, body, method }: Fetched) =>
    send(url, { headers, method, ...(body === undefined ? {} : { body }) }),
})

interface Fetched {
  headers: Record<string, string>
  method: string
  body?: string | URLSearchParams | undefined
}

/**
 * One address is opened by the browser, or by the program for its scheme; codes and tokens are sent to the
 * others. @throws CommandError unless it is a web address of the server itself
 */
function requireOwn(server: string, address: string): void {
  const url = URL.canParse(address) ? new URL(address) : null
  const { protocol, host } = new URL(server)
  if (url?.protocol !== protocol || url.host !== host || url.username !== '' || url.password !== '')
    throw new CommandError(`${server} names an address that is not its own: ${address}`)
}

/** A server that is reached under another name than its own would refuse every token. */
async function checkName(server: string, response: Response): Promise<void> {
  const { resource } = (await response.json().catch(() => ({}))) as { resource?: unknown }
  if (typeof resource !== 'string' || !URL.canParse(resource) || resource === apiOf(server)) return
  const { origin } = new URL(resource)
  if (origin !== server)
    throw new CommandError(`The server at ${server} is called ${origin}. Sign in there: svc login ${origin}`)
}

function tokensOf(answer: TokenEndpointResponse, refreshToken: string | null, clock: Clock): Tokens {
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? refreshToken,
    expiresAt: clock() + (answer.expires_in ?? DEFAULT_SECONDS) * 1000,
    scope: answer.scope ?? SCOPE,
  }
}

/** The error of a sign-in that a server no longer accepts, with the way to repeat it. */
export const signedOut = (server: string) =>
  new SignedOut(
    `The sign-in at ${server} has ended: it was ended there, or not used for a long time. Sign in again: svc login ${server}`,
  )

const tooMany = (server: string, response: Response) =>
  `${server} has had too many sign-ins from this network. Try again in ${response.headers.get('retry-after') ?? '60'} s.`

/** Errors of the protocol as sentences for the person at the terminal. */
async function inWords<Result>(server: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error)) throw error
    const { error: code, error_description: description } = error as {
      error?: string
      error_description?: string
    }
    if (code === 'access_denied') throw new CommandError('You did not approve the connection.')
    if (code === 'invalid_grant' || code === 'invalid_client') throw signedOut(server)
    const reason = code === undefined ? error.message : (description ?? code)
    throw new CommandError(`The server at ${server} did not answer as expected: ${reason}`, { cause: error })
  }
}
