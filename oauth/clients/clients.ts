import type { Clock } from '../../common/clock.js'
import type { Random } from '../../common/secrets.js'
import type { AuthorizationRequest } from '../authorize/authorization-request.js'
import { OAuthError } from '../error.js'
import type { ClientStore } from '../stores/types.js'
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

const APPROVED_KEPT = 10_000

/**
 * Registrations that nobody has used yet, kept at most: 200 MB when all are as large as they may be. The oldest go first,
 * which their users do not notice once the consent page is open (`keep`), or ever with a known assistant (`identify`).
 */
export const UNUSED_CLIENTS = 10_000
/** Registrations after which the cap is looked at: fewer than one look forgets. */
const LOOK_EVERY = 100
const CLIENT_ID = /^[\x21-\x7e]{1,2048}$/

/** Clients that registered, those of ours that come back after they were forgotten, and those with documents. */
export interface Clients {
  /** @throws OAuthError invalid_redirect_uri, invalid_client_metadata */
  register(body: unknown): Promise<Client>
  find(clientId: string): Promise<Client | null>
  /**
   * The client that asks for authorization. One of ours that a clean-up has forgotten is recognised by the MAC of its
   * id when it wants a known assistant's exact callback (DESIGN §5.5); it is stored again when its user approves.
   * @throws DocumentError when its document cannot be used; DomainError 503 when too many are asked for at once
   */
  identify(clientId: string, redirectUri: string | undefined): Promise<Client | null>
  /** Stores for good whom a user approves: who is to redeem a code or refresh needs no document any more. */
  keep(approved: Pick<AuthorizationRequest, 'clientId' | 'clientName' | 'redirectUri'>): Promise<void>
  /**
   * The client of a token or revocation request, which has no other proof than its id. Nothing is fetched for it: what
   * it has to show is worth something only after a user's approval, and that has stored it.
   * @throws OAuthError 401 invalid_client: some assistants register again only on that (fastmcp#1762)
   */
  expect(clientId: string): Promise<void>
}

export interface ClientsOptions {
  brand: string
  /** Of the MAC in client ids. */
  key: Uint8Array
  knownRedirectUris: readonly string[]
}

export function createClients(
  store: ClientStore,
  documents: ClientDocuments,
  { brand, key, knownRedirectUris }: ClientsOptions,
  clock: Clock,
  random: Random,
): Clients {
  const find = async (clientId: string) => (CLIENT_ID.test(clientId) ? store.find(clientId) : null)
  // Whom a user approved is never forgotten, so it need not be looked for at each refresh.
  const approved = new Set<string>()
  let registered = 0
  return {
    find,

    async register(body) {
      const asked = readRegistration(body)
      const client = { id: newClientId(brand, key, random), ...asked, createdAt: clock(), lastUsedAt: null }
      await store.add(client)
      if (++registered % LOOK_EVERY === 0) await store.removeOldestUnused(UNUSED_CLIENTS)
      return client
    },

    async identify(clientId, redirectUri) {
      if (isDocumentId(clientId)) {
        return documents.find(clientId, client => mayRedirectTo(redirectUri ?? '', client, []))
      }
      const known = await find(clientId)
      if (known || !redirectUri || !isKnownCallback(redirectUri, knownRedirectUris)) return known
      return isIssuedClientId(clientId, brand, key) ? restoredClient(clientId, redirectUri, clock()) : null
    },

    async keep({ clientId, clientName, redirectUri }) {
      const document = documents.cached(clientId)
      if (document) await store.put(document)
      else await store.add({ ...restoredClient(clientId, redirectUri, clock()), name: clientName })
      await store.markUsed(clientId, clock())
    },

    async expect(clientId) {
      if (approved.has(clientId)) return
      const client = (await find(clientId)) ?? documents.cached(clientId)
      if (client?.lastUsedAt) {
        if (approved.size >= APPROVED_KEPT) approved.clear()
        approved.add(clientId)
      }
      if (client) return
      throw new OAuthError('invalid_client', 'This client is not registered here.', 'unknown client', 401)
    },
  }
}

/** What is left of a registration that was forgotten: its id, and where it wants to be answered. */
const restoredClient = (clientId: string, redirectUri: string, now: number): Client => ({
  id: clientId,
  name: nameFor(redirectUri),
  redirectUris: [redirectUri],
  grantTypes: ['authorization_code', 'refresh_token'],
  createdAt: now,
  lastUsedAt: null,
})
