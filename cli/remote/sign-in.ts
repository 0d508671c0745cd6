import { OAuthClient, type Tokens } from './oauth.js'
import type { Servers } from './servers.js'

/** A token is renewed this long before it expires, so that it does not expire in transit. */
const EARLY_MS = 60_000

/** The sign-in at one server: a valid access token for every request. */
export class SignIn {
  readonly #servers: Servers
  readonly #server: string
  #tokens: Tokens | null = null
  #renewal: Promise<Tokens> | null = null

  constructor(servers: Servers, server: string) {
    this.#servers = servers
    this.#server = server
  }

  /** @throws CommandError unless the person has signed in; SignedOut if the sign-in has ended */
  async accessToken(): Promise<string> {
    const { accessToken, expiresAt } = await this.#current()
    if (expiresAt >= Date.now() + EARLY_MS) return accessToken
    await this.renew(accessToken)
    return (await this.#current()).accessToken
  }

  /** Replaces an access token that has expired or was refused. Concurrent requests share one renewal. */
  async renew(refused: string): Promise<void> {
    const tokens = await this.#current()
    if (tokens.accessToken !== refused) return
    this.#renewal ??= this.#servers
      .renew(this.#server, tokens, async (clientId, latest) => {
        const client = await OAuthClient.discover(this.#server)
        return client.refresh(clientId, latest, Date.now)
      })
      .finally(() => {
        this.#renewal = null
      })
    this.#tokens = await this.#renewal
  }

  async #current(): Promise<Tokens> {
    this.#tokens ??= await this.#servers.tokensOf(this.#server, await this.#servers.find(this.#server))
    return this.#tokens
  }
}
