import type { Assistant, Fields } from '../oauth/assistant.js'
import { encode } from '../oauth/assistant.js'
import { hiddenFields } from '../pages/browser.js'

export interface Tokens {
  access_token: string
  refresh_token: string
}

/** What an assistant and its signed-in user do, at a process that may die of it: no answer is an error. */
export class Visitor {
  url = ''
  readonly #assistant: Assistant
  readonly #cookies: Map<string, string>

  /** With the session that the user of `assistant` has. */
  constructor(assistant: Assistant) {
    this.#assistant = assistant
    this.#cookies = new Map(assistant.browser.cookies)
  }

  /** A code that the user approved. */
  async code(): Promise<string> {
    const page = (await this.#send(this.#assistant.authorizeUrl())).headers.get('location') ?? ''
    const approved = await this.#submit(page, page, { decision: 'approve' })
    return new URL(approved.headers.get('location') ?? '').searchParams.get('code') ?? ''
  }

  /** Null: refused. */
  redeem(code: string): Promise<Tokens | null> {
    return this.#token(this.#assistant.redemption(code))
  }

  /** Null: refused. */
  refresh({ refresh_token }: Tokens): Promise<Tokens | null> {
    return this.#token(this.#assistant.refreshing(refresh_token))
  }

  /** Whether an access token opens the MCP endpoint. */
  async opens({ access_token }: Tokens): Promise<boolean> {
    const answer = await fetch(`${this.url}/mcp/v1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    })
    return answer.status === 200
  }

  /** Uploads a file, waits until it is read and says yes. Returns the import's number once that is acknowledged. */
  async import(safeId: string, name: string, text: string): Promise<number> {
    const action = `/safes/${safeId}/import`
    const form = new FormData()
    for (const [name, value] of Object.entries(hiddenFields(await this.#page(action), action)))
      form.append(name, value)
    form.append('file', new Blob([text]), name)
    const begun = await this.#send(action, { method: 'POST', body: form })
    const page = begun.headers.get('location') ?? ''
    while (!(await this.#page(page)).includes(`${page}/commit`));
    const committed = await this.#submit(page, `${page}/commit`, {})
    if (committed.status !== 303) throw new Error(`not committed: ${committed.status}`)
    return Number(page.split('/').at(-1))
  }

  async #token(fields: Fields): Promise<Tokens | null> {
    const answer = await fetch(`${this.url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: encode(fields),
    })
    const body = (await answer.json()) as Tokens
    return answer.status === 200 ? body : null
  }

  async #submit(page: string, action: string, fields: Record<string, string>): Promise<Response> {
    const body = new URLSearchParams({ ...hiddenFields(await this.#page(page), action), ...fields })
    return this.#send(action, { method: 'POST', body })
  }

  async #page(path: string): Promise<string> {
    return (await this.#send(path)).text()
  }

  async #send(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(pair => pair.join('=')).join('; ')
    const headers = { cookie, accept: 'text/html' }
    const response = await fetch(this.url + path, { ...init, headers, redirect: 'manual' })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      this.#cookies.set(name, value)
    }
    return response
  }
}
