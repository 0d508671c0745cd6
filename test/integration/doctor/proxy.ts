import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestTo,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { makeTls } from '../redis/servers.js'

/** A reverse proxy with deliberate mistakes in its configuration. */
export interface ReverseProxy {
  port: number
  /** The port of the service. */
  target: number
  /** Changes the request to the service. Default: the headers of a correct proxy. */
  onRequest(headers: IncomingHttpHeaders, visitor: string): void
  /** Changes the answer to the visitor. */
  onResponse(headers: IncomingHttpHeaders, path: string): void
  /** Whether it waits for the body before it passes a request on. Default: it does not wait. */
  isWaitingForBody: boolean
  /** A page of its own instead of the service's answer. */
  page(path: string, method: string, headers: IncomingHttpHeaders): OwnPage | null
}

export interface OwnPage {
  status: number
  headers: Record<string, string>
  body: string
}

export interface Certificate {
  key: Buffer
  cert: Buffer
  ca: string
  caFile: string
}

/** A certificate for localhost, made by openssl. */
export function certificate(t: Test): Certificate {
  const { args, ca, caFile } = makeTls(t, 'DNS:localhost')
  const file = (name: string) => readFileSync(args[args.indexOf(name) + 1] ?? '')
  return { key: file('--tls-key-file'), cert: file('--tls-cert-file'), ca, caFile }
}

/** A page at one path instead of the service. */
export const at =
  (path: string, page: OwnPage, method = 'GET'): ReverseProxy['page'] =>
  (asked, by) =>
    asked === path && by === method ? page : null

export const addForwarded: ReverseProxy['onRequest'] = (headers, visitor) => {
  const before = headers['x-forwarded-for']
  headers['x-forwarded-for'] = before ? `${before}, ${visitor}` : visitor
}

/** Starts a correct proxy; it ends with the test. */
export async function startProxy(t: Test, tls?: Certificate): Promise<ReverseProxy> {
  const proxy: ReverseProxy = {
    port: 0,
    target: 0,
    onRequest: addForwarded,
    onResponse() {},
    isWaitingForBody: false,
    page: () => null,
  }
  const handle = (request: IncomingMessage, response: ServerResponse) => pass(proxy, request, response)
  const server = tls ? createTlsServer({ key: tls.key, cert: tls.cert }, handle) : createServer(handle)
  server.on('tlsClientError', () => {})
  server.listen(0, 'localhost')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  proxy.port = (server.address() as AddressInfo).port
  return proxy
}

function pass(proxy: ReverseProxy, request: IncomingMessage, response: ServerResponse): void {
  const { url: path = '/', method = 'GET' } = request
  const page = proxy.page(path, method, request.headers)
  if (page) {
    response.writeHead(page.status, page.headers).end(page.body)
    return
  }
  const headers = { ...request.headers }
  proxy.onRequest(headers, '198.51.100.7')
  const inner = requestTo({ host: '127.0.0.1', port: proxy.target, path, method, headers, agent: false })
  inner.on('error', () => response.writeHead(502).end())
  inner.on('response', answer => {
    const answered = { ...answer.headers }
    proxy.onResponse(answered, path)
    response.writeHead(answer.statusCode ?? 500, answered)
    answer.pipe(response)
  })
  // When a visitor leaves, the request is aborted. Otherwise the service would wait for its body.
  response.on('close', () => inner.destroy())
  // The service may answer before the body arrives.
  if (!proxy.isWaitingForBody) inner.flushHeaders()
  request.pipe(inner)
}
