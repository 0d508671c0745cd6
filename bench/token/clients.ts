import { createHash } from 'node:crypto'
import { type Answer, type Connection, requestText } from '../load/connection.js'
import { type Client, Refused } from '../load/rounds.js'

export const CALLBACK = 'https://assistant.example/cb'
const VERIFIER = 'v'.repeat(43)
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** An authorization server, and how a browser comes from its authorization endpoint to a code. */
export interface AuthorizationServer {
  authorizePath: string
  tokenPath: string
  clientId: string
  /** Of a browser in which somebody is signed in. */
  cookies?: string
}

/** A user's browser at an authorization server: keeps cookies, follows redirects, approves what it is asked. */
export class Browser {
  readonly #server: AuthorizationServer
  readonly #cookies = new Map<string, string>()

  constructor(server: AuthorizationServer) {
    this.#server = server
    for (const cookie of server.cookies?.split('; ') ?? []) this.#keep(cookie)
  }

  /** One request of the assistant's, to the code that an approval brings. */
  async code(connection: Connection): Promise<string> {
    const { authorizePath, clientId } = this.#server
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: CALLBACK,
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      scope: 'vault:read',
      state: 'a-state',
    })
    let path = `${authorizePath}?${query}`
    for (;;) {
      const page = await this.#send(connection, 'GET', path)
      const answer = page.status === 200 ? await this.#approve(connection, path, page) : page
      const to = locationOf(answer)
      if (!to) throw new Error(`${path}: ${answer.head} ${answer.body.slice(0, 300)}`)
      const code = to.startsWith(CALLBACK) ? new URL(to).searchParams.get('code') : null
      if (code) return code
      if (to.startsWith(CALLBACK)) throw new Error(to)
      path = to.startsWith('/') ? to : to.slice(to.indexOf('/', 'http://'.length))
    }
  }

  #approve(connection: Connection, path: string, page: Answer): Promise<Answer> {
    const hidden = [...page.body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
    // The first two are those of the form that approves; others follow on the page.
    const fields = new URLSearchParams({ decision: 'approve' })
    for (const [, name = '', value = ''] of hidden.slice(0, 2)) fields.append(name, value)
    return this.#send(connection, 'POST', path, fields.toString())
  }

  async #send(connection: Connection, method: string, path: string, body?: string): Promise<Answer> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...(cookie && { Cookie: cookie }), ...(body !== undefined && FORM) }
    const answer = await connection.send(requestText(method, path, headers, body))
    if (answer.status === 503) throw new Refused(answer.body)
    for (const [, pair = ''] of answer.head.matchAll(/\r\nset-cookie: ([^;\r]+)/gi)) this.#keep(pair)
    return answer
  }

  #keep(pair: string): void {
    const at = pair.indexOf('=')
    if (at === pair.length - 1) this.#cookies.delete(pair.slice(0, at))
    else this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

function locationOf({ status, head }: Answer): string | undefined {
  return status === 302 || status === 303 ? /\r\nlocation: (\S+)/i.exec(head)?.[1] : undefined
}

/** From the authorization endpoint to tokens, again and again, each a connection of its own. */
export function connecting(server: AuthorizationServer): Client {
  const browser = new Browser(server)
  return async connection => {
    await redeem(connection, server, await browser.code(connection))
  }
}

/** Each rotation uses the token that the one before it brought; `begin` gets the first. */
export function rotating(
  { tokenPath, clientId }: Pick<AuthorizationServer, 'tokenPath' | 'clientId'>,
  begin: (connection: Connection) => Promise<string>,
): Client {
  let refreshToken: string | undefined
  return async connection => {
    refreshToken ??= await begin(connection)
    const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken }
    refreshToken = refreshTokenOf(await post(connection, tokenPath, fields), refreshToken)
  }
}

/** The first refresh token of a new connection. */
export async function redeem(
  connection: Connection,
  { tokenPath, clientId }: AuthorizationServer,
  code: string,
): Promise<string> {
  const fields = {
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_verifier: VERIFIER,
    code,
  }
  return refreshTokenOf(await post(connection, tokenPath, fields), '')
}

export function post(connection: Connection, path: string, fields: Record<string, string>): Promise<Answer> {
  return connection.send(requestText('POST', path, FORM, new URLSearchParams(fields).toString()))
}

export function refreshTokenOf({ status, head, body }: Answer, old: string): string {
  if (status === 503) throw new Refused(body)
  const [, token] = /"refresh_token":"([^"]+)"/.exec(body) ?? []
  if (status !== 200 || !token || token === old || !body.includes('"access_token":"')) {
    throw new Error(`${head.split('\r\n')[0]} ${body.slice(0, 300)}`)
  }
  return token
}
