import type { Clock } from '../../../platform/common/clock.js'
import type { Random } from '../../../platform/common/secrets.js'
import type { AuthorizationRequest } from '../authorize/authorization-request.js'
import { OAuthError } from '../error.js'
import type { ClientStore } from '../stores/client.sql.js'
import {
  type Client,
  isDocumentId,
  isIssuedClientId,
  mayRedirectTo,
  nameFor,
  newClientId,
  readRegistration,
} from './client.js'
import type { ClientDocuments } from './client-documents.js'
import { isKnownCallback } from './redirect-uri.js'

const MAX_APPROVED_CACHED = 10_000

/**
 * The maximum number of unused registrations, at most 200 MB. The oldest are removed first. Users do not
 * notice once they have opened the consent page (`saveApproved`), or at all if they use a known assistant
 * (`identify`).
 */
export const UNUSED_CLIENTS = 10_000
/** Enforce the maximum once per this many registrations; each time removes more than that. */
const CHECK_EVERY = 100
const CLIENT_ID = /^[\x21-\x7e]{1,2048}$/

/** Registered clients, returning clients whose registration was removed, and clients with metadata documents. */
export type Clients = ReturnType<typeof createClients>

interface ClientsOptions {
  brand: string
  /** Key of the MAC in client ids. */
  key: Uint8Array
  knownRedirectUris: readonly string[]
}

/** Clients by their ids: those that registered, and those with a metadata document. */
export function createClients(
  store: ClientStore,
  documents: ClientDocuments,
  { brand, key, knownRedirectUris }: ClientsOptions,
  clock: Clock,
  random: Random,
) {
  const find = async (clientId: string) => (CLIENT_ID.test(clientId) ? store.find(clientId) : null)
  // An approved client is never removed, so it need not be looked up on each refresh.
  const approved = new Set<string>()
  let registered = 0
  return {
    find,

    /** @throws OAuthError invalid_redirect_uri, invalid_client_metadata */
    async register(body: unknown): Promise<Client> {
      const metadata = readRegistration(body, knownRedirectUris)
      const client = {
        id: newClientId(brand, key, random),
        ...metadata,
        createdAt: clock(),
        lastUsedAt: null,
      }
      await store.add(client)
      if (++registered % CHECK_EVERY === 0) await store.removeOldestUnused(UNUSED_CLIENTS)
      return client
    },

    /**
     * Returns the client that requests authorization. A client whose registration was removed is recognised by
     * the MAC in its id if it uses the exact callback of a known assistant (DESIGN §5.5); it is stored again
     * when its user approves.
     * @throws DocumentError if its document cannot be used; DomainError 503 if too many documents are being
     * fetched
     */
    async identify(clientId: string, redirectUri: string | undefined): Promise<Client | null> {
      if (isDocumentId(clientId)) {
        return documents.find(clientId, client => !redirectUri || mayRedirectTo(redirectUri, client, []))
      }
      const known = await find(clientId)
      // Any program can register a scheme, so only an https callback proves which client returns.
      const isProof = redirectUri?.startsWith('https:') && isKnownCallback(redirectUri, knownRedirectUris)
      if (known || !redirectUri || !isProof) return known
      return isIssuedClientId(clientId, brand, key) ? restoredClient(clientId, redirectUri, clock()) : null
    },

    /** Stores an approved client permanently, so that its token requests need no document. */
    async saveApproved({
      clientId,
      clientName,
      redirectUri,
    }: Pick<AuthorizationRequest, 'clientId' | 'clientName' | 'redirectUri'>) {
      const document = documents.cached(clientId)
      if (document) await store.put(document)
      else await store.add({ ...restoredClient(clientId, redirectUri, clock()), name: clientName })
      await store.markUsed(clientId, clock())
    },

    /**
     * Checks that the client of a token or revocation request exists. Fetches nothing: a code or token can only
     * exist after an approval, which stored the client.
     * @throws OAuthError 401 invalid_client; some assistants register again only on this error (fastmcp#1762)
     */
    async requireKnown(clientId: string): Promise<void> {
      if (approved.has(clientId)) return
      const client = (await find(clientId)) ?? documents.cached(clientId)
      if (client?.lastUsedAt) {
        if (approved.size >= MAX_APPROVED_CACHED) approved.clear()
        approved.add(clientId)
      }
      if (client) return
      throw new OAuthError('invalid_client', 'This client is not registered.', 'unknown client', 401)
    },
  }
}

/** A client whose registration was removed, rebuilt from its id and redirect URI. */
const restoredClient = (clientId: string, redirectUri: string, now: number): Client => ({
  id: clientId,
  name: nameFor(redirectUri),
  redirectUris: [redirectUri],
  grantTypes: ['authorization_code', 'refresh_token'],
  createdAt: now,
  lastUsedAt: null,
})
