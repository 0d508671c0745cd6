import type { Clock } from '../clock.js'
import type { Random } from '../secret.js'
import { type Client, isOurClientId, nameFor, newClientId, readRegistration } from './client.js'
import { OAuthError } from './error.js'
import { isKnownCallback } from './redirect-uri.js'
import type { ClientStore } from './store.js'

const CLIENT_ID = /^[\x21-\x7e]{1,2048}$/

/** Registered clients, and those of ours that come back after they were forgotten. */
export interface Clients {
  /** @throws OAuthError invalid_redirect_uri, invalid_client_metadata */
  register(body: unknown): Promise<Client>
  find(clientId: string): Promise<Client | null>
  /**
   * The client that asks for authorization. One of ours that a clean-up has forgotten is recognised by the MAC of its
   * id when it wants a known assistant's exact callback (DESIGN §5.5); it is stored again when its user approves.
   */
  findOrRecognise(clientId: string, redirectUri: string | undefined): Promise<Client | null>
  /**
   * The client of a token or revocation request, which has no other proof than its id.
   * @throws OAuthError 401 invalid_client: some assistants register again only on that (fastmcp#1762)
   */
  expect(clientId: string): Promise<Client>
}

export interface ClientsOptions {
  brand: string
  /** Of the MAC in client ids. */
  key: Uint8Array
  knownRedirectUris: readonly string[]
}

export function createClients(
  store: ClientStore,
  { brand, key, knownRedirectUris }: ClientsOptions,
  clock: Clock,
  random: Random,
): Clients {
  const find = async (clientId: string) => (CLIENT_ID.test(clientId) ? store.find(clientId) : null)
  return {
    find,

    async register(body) {
      const asked = readRegistration(body)
      const client = { id: newClientId(brand, key, random), ...asked, createdAt: clock(), lastUsedAt: null }
      await store.add(client)
      return client
    },

    async findOrRecognise(clientId, redirectUri) {
      const known = await find(clientId)
      if (known || !redirectUri || !isKnownCallback(redirectUri, knownRedirectUris)) return known
      return isOurClientId(clientId, brand, key) ? comeBack(clientId, redirectUri, clock()) : null
    },

    async expect(clientId) {
      const client = await find(clientId)
      if (client) return client
      throw new OAuthError('invalid_client', 'This client is not registered here.', 'unknown client', 401)
    },
  }
}

/** What is left of a registration that was forgotten: its id, and where it wants to be answered. */
export const comeBack = (clientId: string, redirectUri: string, now: number): Client => ({
  id: clientId,
  name: nameFor(redirectUri),
  redirectUris: [redirectUri],
  grantTypes: ['authorization_code', 'refresh_token'],
  createdAt: now,
  lastUsedAt: null,
})
