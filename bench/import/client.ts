import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { encode } from '../../test/integration/oauth/assistant.js'
import { hiddenFields } from '../../test/integration/pages/browser.js'

/** A user who is signed in and connected. */
export interface Access {
  clientId: string
  /** For a first connection, whose tokens stay unchanged. */
  accessToken: string
  /** For another one, which is refreshed repeatedly. */
  refreshToken: string
  cookie: string
}

/** The requests that others make while a Safe is filled. */
export class Client {
  readonly #base: string
  readonly #access: Access

  constructor(base: string, access: Access) {
    this.#base = base
    this.#access = access
  }

  ping(): Promise<void> {
    return this.#call({ method: 'ping' })
  }

  ask(safe: string, query: string): Promise<void> {
    return this.#call({ method: 'tools/call', params: { name: 'svc', arguments: { safe, query } } })
  }

  async rotate(): Promise<void> {
    const { clientId, refreshToken } = this.#access
    const response = await fetch(`${this.#base}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: encode({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken }),
    })
    const pair = (await response.json()) as { refresh_token?: string }
    if (!pair.refresh_token) throw new Error(`No token: ${JSON.stringify(pair)}`)
    this.#access.refreshToken = pair.refresh_token
  }

  async page(path: string): Promise<string> {
    const response = await fetch(this.#base + path, { headers: this.#headers() })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
    return text
  }

  /** Reads a page's answer to its end without storing it. Returns its bytes. */
  async download(path: string): Promise<number> {
    const response = await fetch(this.#base + path, { headers: this.#headers() })
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
    let bytes = 0
    for await (const chunk of response.body ?? []) bytes += chunk.length
    return bytes
  }

  /** Sends the form on `page` that posts to `action`. Returns the redirect's target. */
  async submit(page: string, action: string): Promise<string> {
    return this.#post(action, new URLSearchParams(hiddenFields(await this.page(page), action)))
  }

  /** Uploads a file into a Safe. Returns the page of its import. */
  async upload(safe: string, path: string): Promise<string> {
    const action = `/safes/${safe}/import`
    const form = new FormData()
    for (const [name, value] of Object.entries(hiddenFields(await this.page(action), action)))
      form.append(name, value)
    form.append('file', await openAsBlob(path), basename(path))
    return this.#post(action, form)
  }

  async #post(action: string, body: FormData | URLSearchParams): Promise<string> {
    const response = await fetch(this.#base + action, {
      method: 'POST',
      redirect: 'manual',
      headers: this.#headers(),
      body,
    })
    const location = response.headers.get('location')
    if (response.status !== 303 || !location)
      throw new Error(`${action}: ${response.status} ${await response.text()}`)
    return location
  }

  #headers() {
    return { accept: 'text/html', cookie: this.#access.cookie }
  }

  async #call(message: object): Promise<void> {
    const response = await fetch(`${this.#base}/mcp/v1`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#access.accessToken}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    })
    const text = await response.text()
    if (!response.ok || text.includes('"isError":true') || text.includes('"error"')) {
      throw new Error(`${response.status} ${text.slice(0, 500)}`)
    }
  }
}
