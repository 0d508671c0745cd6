import { type Assistant, encode, type Fields } from '../../integration/oauth/assistant.js'
import { hiddenFields, PASSWORD } from '../../integration/pages/browser.js'

export interface Tokens {
  access_token: string
  refresh_token: string
}

/** The service answered 503: one of its stores does not respond. */
export class Unavailable extends Error {}

/**
 * Actions of an assistant and its user, at processes that may die meanwhile: a missing answer, or one that breaks a
 * promise, is an error.
 */
export class Visitor {
  url = ''
  /** Sees every answer, with its request. */
  onAnswer: (asked: { method: string; path: string }, response: Response) => void = () => {}
  readonly #assistant: Assistant
  readonly #cookies: Map<string, string>

  /** With the session of the user of `assistant`. */
  constructor(assistant: Assistant) {
    this.#assistant = assistant
    this.#cookies = new Map(assistant.browser.cookies)
  }

  /** A code that the user approved. */
  async code(): Promise<string> {
    return this.#approve(await this.#next(this.#assistant.authorizeUrl()))
  }

  /** A code that a user approved who had to sign in before. */
  async codeAfterLogin(email: string): Promise<string> {
    this.#cookies.clear()
    const login = await this.#next(await this.#next(this.#assistant.authorizeUrl()))
    return this.#approve(locationOf(await this.submit(login, '/login', { email, password: PASSWORD })))
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
  async opens(tokens: Tokens): Promise<boolean> {
    return (await this.call(tokens, { id: 1, method: 'ping' })).status === 200
  }

  /** Sends a message to the MCP endpoint. */
  async call({ access_token }: Tokens, message: object, session: Record<string, string> = {}) {
    const answer = await this.#fetch('/mcp/v1', {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json', ...session },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
    return { status: answer.status, headers: answer.headers, body: await answer.text() }
  }

  /** Uploads a file, waits until it is read, and accepts it. Returns the acknowledged number of the import. */
  async import(safeId: string, name: string, text: string): Promise<number> {
    const action = `/safes/${safeId}/import`
    const form = new FormData()
    for (const [name, value] of Object.entries(hiddenFields(await this.#page(action), action)))
      form.append(name, value)
    form.append('file', new Blob([text]), name)
    const page = locationOf(await this.#send(action, { method: 'POST', body: form }))
    for (let shown = ''; !shown.includes(`${page}/commit`); shown = await this.#page(page)) {
      if (shown.includes(`${action}"`)) throw new Unavailable('the file could not be read')
    }
    await this.submit(page, `${page}/commit`)
    return Number(page.split('/').at(-1))
  }

  /** Opens a page, sends its form that posts to `action`, and asserts that it was accepted. */
  async submit(page: string, action: string, fields: Record<string, string> = {}): Promise<Response> {
    const body = new URLSearchParams({ ...hiddenFields(await this.#page(page), action), ...fields })
    const response = await this.#send(action, { method: 'POST', body })
    if (response.status !== 303) throw new Error(`${action} was answered ${response.status}`)
    return response
  }

  async #approve(page: string): Promise<string> {
    const approved = await this.submit(page, page, { decision: 'approve' })
    return new URL(locationOf(approved)).searchParams.get('code') ?? ''
  }

  async #token(fields: Fields): Promise<Tokens | null> {
    const answer = await this.#fetch('/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: encode(fields),
    })
    const body = (await answer.json()) as Tokens
    return answer.status === 200 ? body : null
  }

  async #next(path: string): Promise<string> {
    return locationOf(await this.#send(path))
  }

  async #page(path: string): Promise<string> {
    return (await this.#send(path)).text()
  }

  async #send(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(pair => pair.join('=')).join('; ')
    const response = await this.#fetch(path, { ...init, headers: { cookie, accept: 'text/html' } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      this.#cookies.set(name, value)
    }
    return response
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const method = init.method ?? 'GET'
    const response = await fetch(this.url + path, { ...init, redirect: 'manual' })
    this.onAnswer({ method, path }, response)
    if (response.status < 500) return response
    const body = await response.text()
    if (/postgres|redis|node_modules|ECONN/i.test(body))
      throw new Error(`${method} ${path} told too much: ${body}`)
    if (response.status === 503 && Number(response.headers.get('retry-after')) > 0)
      throw new Unavailable(body)
    throw new Error(`${method} ${path} was answered ${response.status}: ${body}`)
  }
}

const locationOf = (response: Response) => response.headers.get('location') ?? ''
