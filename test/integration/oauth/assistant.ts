import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Browser, type FormFields } from '../pages/browser.js'

export const BASE = 'https://safes.example'
export const CALLBACK = 'https://assistant.example/cb'
export const VERIFIER = 'v'.repeat(43)
export const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

export type Fields = Record<string, string | string[] | undefined>

/** A form or query. An array is a repeated parameter; undefined removes a default. */
export function encode(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    [value ?? []].flat().map(one => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`),
  )
  return pairs.join('&')
}

/** An MCP client and its user, one method per request. */
export class Assistant {
  readonly app: FastifyInstance
  readonly browser: Browser
  clientId = ''

  constructor(app: FastifyInstance) {
    this.app = app
    this.browser = new Browser(app)
  }

  static async registered(app: FastifyInstance, redirectUris = [CALLBACK]): Promise<Assistant> {
    const assistant = new Assistant(app)
    const response = await assistant.register({ redirect_uris: redirectUris, client_name: 'Assistant' })
    assistant.clientId = response.json().client_id
    return assistant
  }

  register(body: unknown, headers: Record<string, string> = {}) {
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    return this.app.inject({
      method: 'POST',
      url: '/oauth/register',
      payload,
      headers: { 'content-type': 'application/json', ...headers },
    })
  }

  authorizeUrl(changes: Fields = {}, path = '/oauth/authorize'): string {
    const defaults = {
      response_type: 'code',
      client_id: this.clientId,
      redirect_uri: CALLBACK,
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      state: 'a state/+&',
    }
    return `${path}?${encode({ ...defaults, ...changes })}`
  }

  authorize(changes: Fields = {}) {
    return this.browser.get(this.authorizeUrl(changes))
  }

  /** The path of the consent page for a valid request. */
  async consentPage(changes: Fields = {}): Promise<string> {
    const { headers } = await this.authorize(changes)
    return String(headers.location)
  }

  decide(page: string, fields: FormFields) {
    return this.browser.submit(page, page, fields)
  }

  /** The code issued after an approval. */
  async code(changes: Fields = {}, choice: FormFields = {}): Promise<string> {
    const page = await this.consentPage(changes)
    const { headers } = await this.decide(page, { decision: 'approve', ...choice })
    return new URL(String(headers.location)).searchParams.get('code') ?? ''
  }

  form(url: string, fields: Fields, headers: Record<string, string> = {}) {
    return this.app.inject({
      method: 'POST',
      url,
      payload: encode(fields),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
  }

  redemption(code: string): Fields {
    return {
      grant_type: 'authorization_code',
      client_id: this.clientId,
      redirect_uri: CALLBACK,
      code_verifier: VERIFIER,
      code,
    }
  }

  redeem(code: string, changes: Fields = {}) {
    return this.form('/oauth/token', { ...this.redemption(code), ...changes })
  }

  refreshing(refresh_token: string): Fields {
    return { grant_type: 'refresh_token', client_id: this.clientId, refresh_token }
  }

  refresh(token: string, changes: Fields = {}) {
    return this.form('/oauth/token', { ...this.refreshing(token), ...changes })
  }

  revoke(token: string, changes: Fields = {}) {
    return this.form('/oauth/revoke', { client_id: this.clientId, token, ...changes })
  }

  /** Runs the whole flow and returns the first pair of tokens. */
  async connect(changes: Fields = {}, choice: FormFields = {}) {
    const response = await this.redeem(await this.code(changes, choice))
    return response.json<{ access_token: string; refresh_token: string; scope: string }>()
  }

  /** Whether an access token is valid. */
  async works(accessToken: string): Promise<boolean> {
    return (await this.app.oauth.authenticate(accessToken, null)) !== null
  }
}

/** An assistant whose user is signed in, with a new account. */
export async function assistantOf(app: FastifyInstance, email = 'ann@a.example', redirectUris?: string[]) {
  const assistant = await Assistant.registered(app, redirectUris)
  const { browser } = assistant
  await browser.signIn(email)
  const id = (await app.accounts.findByEmail(email))?.id ?? ''
  return { assistant, browser, id }
}
