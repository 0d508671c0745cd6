import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'

/** The state of an assistant built on an official SDK, in memory. The test opens its authorization URL in a browser. */
export class Assistant implements OAuthClientProvider {
  readonly redirectUrl: string
  /** The URL of a Client ID Metadata Document; without one it registers. */
  readonly clientMetadataUrl?: string
  authorizationUrl: URL | undefined
  client: OAuthClientInformationMixed | undefined
  current: OAuthTokens | undefined
  #verifier = ''
  #discovered: OAuthDiscoveryState | undefined

  constructor(redirectUrl: string, clientMetadataUrl?: string) {
    this.redirectUrl = redirectUrl
    if (clientMetadataUrl) this.clientMetadataUrl = clientMetadataUrl
  }

  get clientMetadata() {
    return { client_name: 'Test assistant', redirect_uris: [this.redirectUrl] }
  }
  state = () => 'state of the test assistant'
  clientInformation = () => this.client
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.client = client
  }
  tokens = () => this.current
  saveTokens(tokens: OAuthTokens) {
    this.current = tokens
  }
  redirectToAuthorization(url: URL) {
    this.authorizationUrl = url
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  codeVerifier = () => this.#verifier
  saveDiscoveryState(discovered: OAuthDiscoveryState) {
    this.#discovered = discovered
  }
  discoveryState = () => this.#discovered
  invalidateCredentials(what: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') {
    if (what === 'all' || what === 'client') this.client = undefined
    if (what === 'all' || what === 'tokens') this.current = undefined
    if (what === 'all' || what === 'discovery') this.#discovered = undefined
  }
}
