import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import ipaddr from 'ipaddr.js'
import type { Test } from 'tap'
import { CALLBACK } from './assistant.js'

/** The name in the certificate. IANA owns it; the DNS server of these tests resolves it to 127.0.0.1. */
export const HOST = 'assistant.example.com'

const pem = (name: string) => readFileSync(new URL(`../../fixtures/tls/${name}.pem`, import.meta.url), 'utf8')
export const CA = pem('ca')

/** Options for the real fetch to reach the servers in this file. */
export const onLoopback = (dns: NameServer) => ({
  dnsServers: [dns.address],
  isAllowed: (address: string) => address === '127.0.0.1',
  ca: CA,
})

export interface NameServer {
  address: string
  /** The queried names, with the type of address. */
  questions: string[]
}

type Addresses = (type: 'A' | 'AAAA', nth: number) => string[] | 'silence'

/** A real DNS server. `addresses` returns the answer to the nth query of a type. */
export async function nameServer(
  t: Test,
  addresses: Addresses = type => (type === 'A' ? ['127.0.0.1'] : []),
) {
  const questions: string[] = []
  const socket = createSocket('udp4', (query, from) => {
    const labels: string[] = []
    let at = 12
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const type = query.readUInt16BE(at + 1) === 1 ? 'A' : 'AAAA'
    questions.push(`${labels.join('.')} ${type}`)
    const answer = addresses(type, questions.filter(asked => asked.endsWith(` ${type}`)).length)
    if (answer === 'silence') return
    const head = Buffer.from(query.subarray(0, at + 5))
    head.writeUInt16BE(0x8180, 2)
    for (const [offset, count] of [1, answer.length, 0, 0].entries())
      head.writeUInt16BE(count, 4 + 2 * offset)
    const records = answer.map(address => {
      const bytes = Buffer.from(ipaddr.parse(address).toByteArray())
      return Buffer.concat([
        Buffer.from([0xc0, 12, 0, type === 'A' ? 1 : 28, 0, 1, 0, 0, 0, 60, 0, bytes.length]),
        bytes,
      ])
    })
    socket.send(Buffer.concat([head, ...records]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, questions }
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void

export interface DocumentServer {
  /** The URL of a document on the server. */
  at(path: string): string
  /** The response to all further requests. */
  respond: Respond
  requests: IncomingMessage[]
  /** The number of connections opened so far. */
  connections: number
  /** Resolves to true when all connections are closed. */
  allClosed(): Promise<boolean>
}

/** A real https server on loopback. */
export async function documentServer(
  t: Test,
  respond: Respond,
  certificate: 'server' | 'expired' | 'other' = 'server',
): Promise<DocumentServer> {
  const open = new Set<Duplex>()
  const requests: IncomingMessage[] = []
  const server = createServer({ key: pem('server.key'), cert: pem(certificate) }, (request, response) => {
    requests.push(request)
    handle.respond(request, response)
  })
  server.on('connection', socket => {
    handle.connections++
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const handle = {
    at: (path: string) => `https://${HOST}:${port}${path}`,
    respond,
    requests,
    connections: 0,
    async allClosed() {
      for (const socket of open) await new Promise(closed => socket.once('close', closed))
      return true
    },
  }
  return handle
}

/** A valid client document. */
export const documentOf = (id: string, changes: object = {}) => ({
  client_id: id,
  client_name: 'Documented',
  redirect_uris: [CALLBACK],
  token_endpoint_auth_method: 'none',
  ...changes,
})

/** Responds with a document whose `client_id` is the requested URL. */
export const publish =
  (changes: object = {}, headers: Record<string, string> = {}): Respond =>
  (request, response) => {
    const id = `https://${request.headers.host}${request.url}`
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(documentOf(id, changes)))
  }
