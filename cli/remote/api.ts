import { DomainError } from '../../platform/common/domain-error.js'
import { visibleText } from '../../platform/common/visible-text.js'
import { CommandError } from '../command.js'
import { ANSWER, ServerUnreachable, send, unreachable, withRetries } from './network.js'
import { apiOf, signedOut } from './oauth.js'
import type { SignIn } from './sign-in.js'

/** A request that can be sent again. */
interface ApiRequest {
  method?: 'GET' | 'POST' | 'PATCH' | 'HEAD' | 'DELETE'
  /** Sent as JSON. */
  json?: object
  body?: Buffer | string | FormData
  headers?: Record<string, string>
  /** Maximum attempts. By default, until the server has answered once, few: a typing error is likelier than a restart. */
  tries?: number
  /** The answer is a file of any size, which the caller reads. */
  isFile?: true
}

/** An error of the API (RFC 9457). */
interface Problem {
  detail?: unknown
  code?: unknown
}

/** Maximum characters of an error. */
const DETAIL = 1000
const TRIES_AT_FIRST = 3
/** With waits of a minute in total: for a restart, or a laptop that changes its network. */
const TRIES = 8

/** The HTTP API of one server (docs/api.md), with the person's sign-in. */
export class Api {
  readonly server: string
  readonly #signIn: SignIn
  readonly #print: (line: string) => void
  #hasAnswered = false

  constructor(server: string, signIn: SignIn, print: (line: string) => void) {
    this.server = server
    this.#signIn = signIn
    this.#print = print
  }

  /** The JSON of an answer. */
  async json<Answer>(path: string, request?: ApiRequest): Promise<Answer> {
    const response = await this.request(path, request)
    return (await response.json().catch(error => {
      throw unreachable(this.server, error)
    })) as Answer
  }

  /**
   * Sends a request to a path below `/api/v1`, or to the address of an upload. Renews the token if it is refused.
   * @throws DomainError for errors of the API, ServerUnreachable, SignedOut
   */
  async request(path: string, request: ApiRequest = {}): Promise<Response> {
    const url = new URL(path.startsWith('/') ? `${apiOf(this.server)}${path}` : path)
    // An address returned by another server would get the token.
    if (url.origin !== this.server) throw new CommandError(`${this.server} answered with a foreign address.`)
    const tries = request.tries ?? (this.#hasAnswered ? TRIES : TRIES_AT_FIRST)
    const onWait = (seconds: number) =>
      this.#print(`${new URL(this.server).host} asks to wait for ${seconds} s.`)
    const response = await withRetries(() => this.#authorized(url, request), tries, onWait)
    this.#hasAnswered = true
    if (response.ok) return response
    throw await this.#errorOf(response)
  }

  async #authorized(url: URL, request: ApiRequest): Promise<Response> {
    const token = await this.#signIn.accessToken()
    const response = await this.#send(url, request, token)
    if (response.status !== 401) return response
    await response.body?.cancel()
    await this.#signIn.renew(token)
    const again = await this.#send(url, request, await this.#signIn.accessToken())
    if (again.status === 401) throw signedOut(this.server)
    return again
  }

  #send(
    url: URL,
    { method = 'GET', json, body, headers, isFile }: ApiRequest,
    token: string,
  ): Promise<Response> {
    const content = json ? JSON.stringify(json) : body
    const init = {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(json ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      ...(content === undefined ? {} : { body: content }),
    }
    return send(url, init, isFile ? null : ANSWER)
  }

  async #errorOf(response: Response): Promise<Error> {
    const { status, headers } = response
    const { host } = new URL(this.server)
    const { detail, code } = ((await response.json().catch(() => null)) ?? {}) as Problem
    if (code === 'insufficient_scope') return mayNotFill(this.server)
    if (typeof detail === 'string') {
      const retryAfter = Number(headers.get('retry-after') ?? Number.NaN)
      const said = visibleText(detail.slice(0, DETAIL))
      return new DomainError(status, String(code ?? 'error'), said, retryAfter >= 0 ? retryAfter : undefined)
    }
    if (status === 413) return new CommandError(`A proxy in front of ${host} refuses requests of this size.`)
    if (status >= 500) return new ServerUnreachable(`${host} cannot answer now (${status}). Try again later.`)
    return new CommandError(`${host} did not answer as expected (${status}). Is svc there as new as here?`)
  }
}

const mayNotFill = (server: string) =>
  new CommandError(
    `You did not allow svc to add and replace files at ${server}. To allow it: svc login ${server} --again`,
  )
