import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'

/** What an assistant built on the official SDK keeps, in memory. The test hands its authorization URL to a browser. */
export class Assistant implements OAuthClientProvider {
  readonly redirectUrl: string
  authorizationUrl: URL | undefined
  client: OAuthClientInformationMixed | undefined
  current: OAuthTokens | undefined
  #verifier = ''

  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl
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
}
