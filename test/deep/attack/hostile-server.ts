import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A server to which somebody signs in with `svc login`, with arbitrary answers. */
export interface HostileServer {
  url: string
  /** Members added to its metadata, or replaced in it. */
  metadata: Record<string, unknown>
  /** The answer at a path, as JSON, or by a function. */
  answers: Map<string, object | Answer>
  /** Method and path of each request. */
  asked: string[]
}

export async function openHostileServer(t: Test): Promise<HostileServer> {
  const listening = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    hostile.asked.push(`${request.method} ${request.url}`)
    const answer = hostile.answers.get(path)
    if (typeof answer === 'function') return answer(request, response)
    json(response, answer ?? usual(hostile, path))
  }).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
  const hostile: HostileServer = { url, metadata: {}, answers: new Map(), asked: [] }
  t.teardown(() => {
    listening.close()
    listening.closeAllConnections()
  })
  return hostile
}

/** An honest server's answers. */
function usual({ url, metadata }: HostileServer, path: string): object | null {
  switch (path) {
    case '/.well-known/oauth-protected-resource/api/v1':
      return { resource: `${url}/api/v1`, authorization_servers: [url] }
    case '/.well-known/oauth-authorization-server':
      return {
        issuer: url,
        authorization_endpoint: `${url}/oauth/authorize`,
        token_endpoint: `${url}/oauth/token`,
        registration_endpoint: `${url}/oauth/register`,
        revocation_endpoint: `${url}/oauth/revoke`,
        response_types_supported: ['code'],
        ...metadata,
      }
    case '/oauth/register':
      return { client_id: 'client', redirect_uris: [] }
    default:
      return null
  }
}

export function json(response: ServerResponse, body: object | null): void {
  const status = body === null ? 404 : response.req.url === '/oauth/register' ? 201 : 200
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
}
