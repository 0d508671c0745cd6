// The official SDK's own Streamable HTTP server on Express, with a bearer check against Redis and predefined
// answers: the same tools, the same text; a server and a transport for each session, which costs about as much as one
// for each request, the other way its documentation shows. `Server` rather than `McpServer`, which checks arguments and
// results and takes longer. Its arguments: the URL of Redis and a file with the answers.
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import express from 'express'
import { Redis } from 'ioredis'
import { ready } from '../load/child.js'

/** With the body parsed by `express.json()`. */
type Request = IncomingMessage & { body?: unknown }

const [redisUrl = '', file = ''] = process.argv.slice(2)
const redis = new Redis(redisUrl, { enableAutoPipelining: true })
const { tools, text } = JSON.parse(readFileSync(file, 'utf8'))
const TOKEN = `at_${randomUUID()}${randomUUID()}`
await redis.set(keyOf(TOKEN), JSON.stringify({ clientId: 'bench', scopes: ['vault:read'] }))

const app = express()
app.disable('x-powered-by')
app.post('/', authenticate, express.json(), answer)
const listener = app.listen(0, '127.0.0.1', () => {
  ready({ port: (listener.address() as AddressInfo).port, accessToken: TOKEN }, () => listener.close())
})

function keyOf(bearer: string): string {
  return `token:${createHash('sha256').update(bearer).digest('base64url')}`
}

async function authenticate(request: Request, response: ServerResponse, next: () => void) {
  const bearer = request.headers.authorization?.slice('Bearer '.length) ?? ''
  const record = await redis.get(keyOf(bearer))
  if (!record) return response.writeHead(401).end()
  Object.assign(request, { auth: { token: bearer, ...JSON.parse(record) } })
  next()
}

function newServer(): Server {
  const server = new Server({ name: 'bench', version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: 'text', text }] }))
  return server
}

const transports = new Map<string, StreamableHTTPServerTransport>()

async function answer(request: Request, response: ServerResponse) {
  const known = transports.get(String(request.headers['mcp-session-id']))
  if (known) return known.handleRequest(request, response, request.body)
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    enableJsonResponse: true,
    onsessioninitialized: id => void transports.set(id, transport),
  })
  await newServer().connect(transport as Transport)
  await transport.handleRequest(request, response, request.body)
}
