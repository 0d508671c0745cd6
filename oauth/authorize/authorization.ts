import type { Clock } from '../../common/clock.js'
import { DomainError } from '../../common/domain-error.js'
import type { Random } from '../../common/secrets.js'
import { type Client, mayRedirectTo } from '../clients/client.js'
import { DocumentError, isVerified } from '../clients/client-document.js'
import type { Clients } from '../clients/clients.js'
import { redirectHost } from '../clients/redirect-uri.js'
import type { Grant } from '../connections/access.js'
import { beginConnection } from '../connections/connection.js'
import { OAuthError } from '../error.js'
import { AUTHORIZATION_REQUEST_MINUTES, expiries, MINUTE_MS } from '../lifetime.js'
import type { Parameters } from '../parameters.js'
import type { AuthorizationRequestStore, ConnectionStore, GrantStore } from '../stores/types.js'
import type { TokenFormat } from '../token/token.js'
import { type AuthorizationRequest, readAuthorization, readState } from './authorization-request.js'
import { errorUrl, successUrl } from './authorization-response.js'
import { type Choice, decide } from './consent.js'
import type { RequestSeal } from './sealed-request.js'

/** From the client's request to the user's decision. */
export interface Authorization {
  /**
   * Understands a request to `/oauth/authorize`; `query` is its query as sent.
   * @throws DomainError 400 when nobody can be told by redirect (RULES A1, A2, D4), 503 when too many documents are asked for
   */
  read(
    parameters: Parameters,
    query: string,
  ): Promise<{ request: NewAuthorizationRequest } | { errorUrl: string; error: OAuthError }>
  /** The id of a request's consent page: the request itself, sealed for one browser. Nothing is stored. */
  seal(request: NewAuthorizationRequest, browser: string): string
  /**
   * The request of a consent page. `browsers` are the names that the browser goes by.
   * @throws DomainError 400 when it is unknown, expired, decided, or came from another browser
   */
  find(sealed: string, browsers: readonly string[]): Promise<AuthorizationRequest>
  /**
   * Approves: a connection begins, with a code for the client.
   * @returns where the browser goes
   * @throws DomainError 400 `bad_choice` when the choice cannot be granted, `expired` when it was decided meanwhile
   */
  approve(request: AuthorizationRequest, accountId: string, choice: Choice): Promise<string>
  /** Denies. Returns where the browser goes. @throws DomainError 400 `expired` when it was decided meanwhile */
  deny(request: AuthorizationRequest): Promise<string>
}

export type NewAuthorizationRequest = Omit<AuthorizationRequest, 'id' | 'expiresAt'>

export interface AuthorizationDependencies {
  clients: Clients
  connections: ConnectionStore
  grants: GrantStore
  requests: AuthorizationRequestStore
  requestSeal: RequestSeal
  format: TokenFormat
  baseUrl: string
  knownRedirectUris: readonly string[]
  mayRead(accountId: string, safeId: string): Promise<boolean>
  clock: Clock
  random: Random
}

export function createAuthorization(dependencies: AuthorizationDependencies): Authorization {
  const { requests, requestSeal, baseUrl, clock } = dependencies

  /** Of several decisions the first counts, at whichever process (RULES C3). */
  const decideOnce = async ({ id, expiresAt }: AuthorizationRequest) => {
    if (expiresAt <= clock() || !(await requests.decide(id, expiresAt))) throw expired()
  }
  return {
    async find(sealed, browsers) {
      const request = requestSeal.open(sealed, browsers)
      if (!request || request.expiresAt <= clock() || (await requests.isDecided(request.id))) throw expired()
      return request
    },

    async read(parameters, query) {
      const { client, redirectUri } = await identifyClient(parameters, dependencies)
      const from = { redirectUri, state: readState(query, parameters) }
      try {
        const { id: clientId, name: clientName } = client
        const who = { clientId, clientName, clientVerified: isVerified(client, redirectUri) }
        return { request: { ...who, ...from, ...readAuthorization(parameters, baseUrl) } }
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        return { errorUrl: errorUrl(from, error, baseUrl), error }
      }
    },

    seal(request, browser) {
      const expiresAt = clock() + AUTHORIZATION_REQUEST_MINUTES * MINUTE_MS
      return requestSeal.seal({ ...request, expiresAt }, browser)
    },

    async approve(request, accountId, choice) {
      const granted = await decide(request, accountId, choice, dependencies.mayRead)
      await decideOnce(request)
      return successUrl(request, await connect(request, granted, dependencies), baseUrl)
    },

    async deny(request) {
      await decideOnce(request)
      return errorUrl(request, new OAuthError('access_denied', 'The user said no.'), baseUrl)
    },
  }
}

/** Begins the connection. Returns its code. */
async function connect(request: AuthorizationRequest, grant: Grant, dependencies: AuthorizationDependencies) {
  const { clients, grants, format, random } = dependencies
  const { clientName, clientVerified, redirectUri, codeChallenge } = request
  const now = dependencies.clock()
  await clients.keep(request)
  const display = { clientName, clientVerified, redirectHost: redirectHost(redirectUri) }
  return beginConnection(dependencies, grant, display, now, random, async connectionId => {
    const { token, hash } = format.newCode(connectionId)
    const kept = { hash, redirectUri, challenge: codeChallenge, expiresAt: expiries(now).code }
    await grants.beginWithCode(connectionId, grant, kept, now)
    return token
  })
}

/**
 * The client and where it wants to be answered. Until both are good, nobody is redirected anywhere.
 * @throws DomainError 400, 503
 */
async function identifyClient(
  { client_id: clientId, redirect_uri: redirectUri }: Parameters,
  { clients, knownRedirectUris }: AuthorizationDependencies,
): Promise<{ client: Client; redirectUri: string }> {
  const one = typeof redirectUri === 'string' ? redirectUri : undefined
  const client = typeof clientId === 'string' ? await identify(clientId, one, clients) : null
  if (!client) throw new DomainError(400, 'unknown_client', UNKNOWN_CLIENT)
  if (!one || !mayRedirectTo(one, client, knownRedirectUris)) {
    throw new DomainError(400, 'bad_redirect_uri', BAD_REDIRECT_URI)
  }
  return { client, redirectUri: one }
}

/** @throws DomainError 400 when its document cannot be used (RULES D4) */
async function identify(clientId: string, redirectUri: string | undefined, clients: Clients) {
  try {
    return await clients.identify(clientId, redirectUri)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new DomainError(400, 'bad_client_document', badDocument(clientId, error.why))
  }
}

/** Without what may be a password in the address. */
const badDocument = (address: string, why: string) =>
  `The app that sent you here says that it is described at ${address.replace(/\/\/[^/]*@/, '//').slice(0, 200)}. That address ${why}, so we did not go on. Try again in a minute; if it stays like this, only the people who make the app can change it.`
const UNKNOWN_CLIENT =
  'We do not know the app that sent you here. In Claude or ChatGPT, remove this connector in the settings and add it again; in Cursor, VS Code and other apps, sign out of this server (or remove and add it) and connect once more.'
const BAD_REDIRECT_URI =
  'The app that sent you here wants the answer at an address it has not registered, so we did not go on. Remove the connector in your assistant and add it again.'

const expired = () =>
  new DomainError(
    400,
    'expired',
    'This page is no longer valid: it was already answered, has expired, or belongs to another browser. Go back to your assistant and connect again.',
  )
