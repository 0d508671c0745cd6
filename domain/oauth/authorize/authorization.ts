import type { Clock } from '../../../platform/common/clock.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { MINUTE_MS } from '../../../platform/common/durations.js'
import { newId, type Random } from '../../../platform/common/secrets.js'
import type { RecordActivity } from '../../activity/entry.js'
import { unverifiedName } from '../../activity/unverified-name.js'
import { appOf } from '../clients/app.js'
import { standingOf } from '../clients/app-trust.js'
import { type Client, mayRedirectTo } from '../clients/client.js'
import { DocumentError, isVerified } from '../clients/client-document.js'
import type { Clients } from '../clients/clients.js'
import { redirectHost } from '../clients/redirect-uri.js'
import type { Grant } from '../connections/access.js'
import type { ConnectionChoice, MayRead } from '../connections/choice.js'
import { beginConnection } from '../connections/connection.js'
import type { Connections } from '../connections/connections.js'
import { OAuthError } from '../error.js'
import { AUTHORIZATION_REQUEST_MINUTES, expiries } from '../lifetime.js'
import type { Parameters } from '../parameters.js'
import type { ConnectionStore } from '../stores/connection.sql.js'
import type { AuthorizationRequestStore, GrantStore } from '../stores/types.js'
import { oauthTexts } from '../texts.js'
import type { TokenFormat } from '../token/token.js'
import {
  type AuthorizationRequest,
  type RequestSeal,
  readAuthorization,
  readState,
} from './authorization-request.js'
import { errorUrl, successUrl } from './authorization-response.js'
import { grantFor } from './consent.js'

type Read = { request: NewAuthorizationRequest } | { errorUrl: string; error: OAuthError }
type NewAuthorizationRequest = Omit<AuthorizationRequest, 'id' | 'expiresAt'>

interface AuthorizationDependencies {
  clients: Clients
  connections: ConnectionStore
  earlier: Connections['earlier']
  record: RecordActivity
  grants: GrantStore
  requests: AuthorizationRequestStore
  requestSeal: RequestSeal
  format: TokenFormat
  baseUrl: string
  knownRedirectUris: readonly string[]
  mayRead: MayRead
  clock: Clock
  random: Random
}

/** Authorization requests: checked, sealed, shown and decided once (RULES C3, C4). */
export function createAuthorization(dependencies: AuthorizationDependencies) {
  const { requests, requestSeal, baseUrl, clock, random } = dependencies

  /** The first decision counts, across all processes (RULES C3). A decision that failed may be repeated. */
  const decideOnce = async <T>({ id, expiresAt }: AuthorizationRequest, carryOut: () => Promise<T>) => {
    const attempt = newId(random)
    if (expiresAt <= clock() || !(await requests.decide(id, attempt, expiresAt))) throw expired()
    return carryOut().catch(error => {
      void requests.release(id, attempt).catch(() => {})
      throw error
    })
  }
  return {
    /**
     * Opens the request of a consent page. `browsers` are the ids of the current browser.
     * @throws DomainError 400 if it is unknown, expired, already decided, or belongs to another browser
     */
    async find(sealed: string, browsers: readonly string[]): Promise<AuthorizationRequest> {
      const request = requestSeal.open(sealed, browsers)
      if (!request || request.expiresAt <= clock() || (await requests.isDecided(request.id))) throw expired()
      return request
    },

    /**
     * Validates a request to `/oauth/authorize`. `query` is the raw query string.
     * @throws DomainError 400 if the error cannot be reported by redirect (RULES A1, A2, D4), 503 if too many
     * client documents are being fetched
     */
    async read(parameters: Parameters, query: string): Promise<Read> {
      const { client, redirectUri } = await identifyClient(parameters, dependencies)
      const target = { redirectUri, state: readState(query, parameters) }
      try {
        const { id: clientId, name: clientName } = client
        const identity = { clientId, clientName, clientVerified: isVerified(client, redirectUri) }
        return { request: { ...identity, ...target, ...readAuthorization(parameters, baseUrl) } }
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        return { errorUrl: errorUrl(target, error, baseUrl), error }
      }
    },

    /** Returns the id of the consent page: the request itself, sealed for one browser. Nothing is stored. */
    seal(request: NewAuthorizationRequest, browser: string): string {
      const expiresAt = clock() + AUTHORIZATION_REQUEST_MINUTES * MINUTE_MS
      return requestSeal.seal({ ...request, expiresAt }, browser)
    },

    /**
     * Approves the request: begins a connection and issues a code.
     * @returns the URL to redirect to
     * @throws DomainError 400 `bad_choice` if the choice cannot be granted, `expired` if it was decided
     * meanwhile
     */
    async approve(
      request: AuthorizationRequest,
      accountId: string,
      choice: ConnectionChoice,
    ): Promise<string> {
      const grant = await grantFor(request, accountId, choice, dependencies.mayRead)
      const code = await decideOnce(request, () => connect(request, grant, dependencies))
      return successUrl(request, code, baseUrl)
    },

    /**
     * Denies the request. Returns the URL to redirect to.
     * @throws DomainError 400 `expired` if it was decided meanwhile
     */
    async deny(request: AuthorizationRequest, accountId: string): Promise<string> {
      await decideOnce(request, async () => {})
      const { clientName } = request
      const isUnverified = standingOf(request, dependencies.knownRedirectUris) === 'unverified'
      const detail = isUnverified ? unverifiedName(clientName) : clientName
      dependencies.record({ kind: 'denied', accountId, detail })
      return errorUrl(request, new OAuthError('access_denied', 'The user denied the request.'), baseUrl)
    },
  }
}

/** Begins the connection and returns its code. */
async function connect(request: AuthorizationRequest, grant: Grant, dependencies: AuthorizationDependencies) {
  const { clients, grants, format, random } = dependencies
  const { clientName, redirectUri, codeChallenge } = request
  const now = dependencies.clock()
  await clients.saveApproved(request)
  // An earlier choice not to store the app's questions is kept.
  const earlier = await dependencies.earlier(grant.accountId, request)
  const display = {
    ...{ clientName, redirectHost: redirectHost(redirectUri), app: appOf(request) },
    standing: standingOf(request, dependencies.knownRedirectUris),
    keepsQuestions: earlier?.keepsQuestions ?? true,
  }
  return beginConnection(dependencies, grant, display, now, random, async connectionId => {
    const { token, hash } = format.newCode(connectionId)
    const code = { hash, redirectUri, challenge: codeChallenge, expiresAt: expiries(now).code }
    await grants.beginWithCode(connectionId, grant, code, now)
    return token
  })
}

/**
 * Returns the client and its validated redirect URI. Until both are valid, no error is sent by redirect.
 * @throws DomainError 400, 503
 */
async function identifyClient(
  { client_id: clientId, redirect_uri: redirectUri }: Parameters,
  { clients, knownRedirectUris }: AuthorizationDependencies,
): Promise<{ client: Client; redirectUri: string }> {
  const sent = typeof redirectUri === 'string' && redirectUri !== '' ? redirectUri : undefined
  const client = typeof clientId === 'string' ? await identify(clientId, sent, clients) : null
  if (!client) throw new DomainError(400, 'unknown_client', oauthTexts.unknownClient)
  // A client with exactly one may omit it (RFC 6749 §3.1.2.3).
  const mayOmit = (redirectUri === undefined || redirectUri === '') && client.redirectUris.length === 1
  const uri = mayOmit ? client.redirectUris[0] : sent
  if (!uri || !mayRedirectTo(uri, client, knownRedirectUris)) {
    throw new DomainError(400, 'bad_redirect_uri', oauthTexts.badRedirectUri)
  }
  return { client, redirectUri: uri }
}

/** @throws DomainError 400 if the client's document cannot be used (RULES D4) */
async function identify(clientId: string, redirectUri: string | undefined, clients: Clients) {
  try {
    return await clients.identify(clientId, redirectUri)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const message = oauthTexts.badDocument(shownAddress(clientId), error.problem)
    throw new DomainError(400, 'bad_client_document', message)
  }
}

/** Removes credentials from the address before showing it. */
const shownAddress = (address: string) => address.replace(/\/\/[^/]*@/, '//').slice(0, 200)

const expired = () => new DomainError(400, 'expired', oauthTexts.expired)
