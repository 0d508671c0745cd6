import { type Answer, type Connection, requestText } from '../load/connection.js'
import { type Client, Refused } from '../load/rounds.js'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** Rotates one refresh token after the other, each with the token from the previous rotation. */
export function rotating(path: string, clientId: string, firstToken: string): Client {
  let token = firstToken
  return async connection => {
    const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token: token }
    token = refreshTokenOf(await post(connection, path, fields), token)
  }
}

function post(connection: Connection, path: string, fields: Record<string, string>): Promise<Answer> {
  return connection.send(requestText(`POST ${path}`, FORM, new URLSearchParams(fields).toString()))
}

function refreshTokenOf({ status, head, body }: Answer, old: string): string {
  if (status === 503) throw new Refused(body)
  const [, token] = /"refresh_token":"([^"]+)"/.exec(body) ?? []
  if (status !== 200 || !token || token === old || !body.includes('"access_token":"')) {
    throw new Error(`${head.split('\r\n')[0]} ${body.slice(0, 300)}`)
  }
  return token
}
