import { isUtf8 } from 'node:buffer'
import { showsApps } from '../graph-app.js'
import { CODES, failure, RpcError, type RpcFailure, type RpcRequest } from '../json-rpc.js'
import { idOf, isObject, type Message, readMessage } from './envelope.js'
import { namesStateless, STATELESS } from './protocol-version.js'

/** The headers that repeat parts of the body (MCP 2026-07-28 Streamable HTTP, "Request Metadata"). */
export interface MirroredHeaders {
  /** `MCP-Protocol-Version` */
  protocolVersion: string | undefined
  /** `Mcp-Method` */
  mcpMethod: string | undefined
  /** `Mcp-Name` */
  mcpName: string | undefined
}

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const CLIENT = 'io.modelcontextprotocol/clientInfo'

/** The methods that are served in MCP 2026-07-28, each with the parameter that `Mcp-Name` repeats. */
const METHODS: ReadonlyMap<string, string | null> = new Map([
  ['server/discover', null],
  ['tools/list', null],
  ['tools/call', 'name'],
  ['resources/list', null],
  ['resources/templates/list', null],
  ['resources/read', 'uri'],
  ['prompts/list', null],
  ['prompts/get', 'name'],
  ['completion/complete', null],
])

/**
 * Determines the rules for a body. Returns null if those before MCP 2026-07-28 apply, otherwise the
 * message as this revision reads it (MCP 2026-07-28 Versioning, "Backward Compatibility"; RULES N2–N7).
 *
 * A message belongs to this revision if its `_meta` names a revision. Without that, a header that names one is an
 * error, except on `initialize`, which belongs to the handshake.
 */
export function classify(body: unknown, headers: MirroredHeaders): Message | null {
  const isNamedByHeader = namesStateless(headers.protocolVersion)
  if (Array.isArray(body)) {
    if (!isNamedByHeader && !body.some(namesRevision)) return null
    const message = `MCP ${STATELESS} does not support batches. Send one message at a time.`
    return refused(undefined, new RpcError(CODES.invalidRequest, message, 400))
  }
  if (!namesRevision(body) && (!isNamedByHeader || isInitialize(body))) return null
  const message = readMessage(body)
  if (message.kind === 'unanswered') return message
  if (message.kind === 'refused') {
    const { id, error } = message.response
    return refused(id ?? undefined, new RpcError(error.code, error.message, 400))
  }
  const { request } = message
  const meta = metaOf(body)
  const error = errorIn(request, meta, headers)
  if (error) return refused(request.id, error)
  return showsApps(meta?.[CAPABILITIES])
    ? { kind: 'request', request: { ...request, showsApps: true } }
    : message
}

function refused(id: RpcFailure['id'], error: RpcError): Message {
  return { kind: 'refused', status: error.status, response: failure(id, error) }
}

function metaOf(body: unknown): Record<string, unknown> | null {
  if (!isObject(body) || !isObject(body.params)) return null
  const { _meta } = body.params
  return isObject(_meta) ? _meta : null
}

function namesRevision(body: unknown): boolean {
  const meta = metaOf(body)
  return meta !== null && Object.hasOwn(meta, VERSION)
}

const isInitialize = (body: unknown) => isObject(body) && body.method === 'initialize' && idOf(body) !== null

/** The first error in a request. */
function errorIn(
  { method, params }: RpcRequest,
  meta: Record<string, unknown> | null,
  headers: MirroredHeaders,
): RpcError | null {
  const version = meta?.[VERSION]
  if (typeof version !== 'string') return invalidMeta(VERSION, 'a string')
  if (!isObject(meta?.[CAPABILITIES])) return invalidMeta(CAPABILITIES, 'an object')
  const client = meta[CLIENT]
  if (client !== undefined && !isImplementation(client)) {
    return invalidMeta(CLIENT, 'an object with a name and a version')
  }

  if (headers.protocolVersion !== version)
    return mismatch('MCP-Protocol-Version', `params._meta["${VERSION}"]`)
  if (headers.mcpMethod !== method) return mismatch('Mcp-Method', 'method')
  const parameter = METHODS.get(method)
  if (parameter && !repeats(headers.mcpName, params?.[parameter])) {
    return mismatch('Mcp-Name', `params.${parameter}`)
  }

  if (version !== STATELESS) {
    const data = { supported: [STATELESS], requested: version }
    return new RpcError(CODES.unsupportedProtocolVersion, 'Unsupported protocol version', 400, data)
  }
  return METHODS.has(method) ? null : new RpcError(CODES.methodNotFound, 'Method not found', 404)
}

const isImplementation = (value: unknown) =>
  isObject(value) && typeof value.name === 'string' && typeof value.version === 'string'

const invalidMeta = (key: string, expected: string) =>
  new RpcError(CODES.invalidParams, `params._meta["${key}"] must be ${expected}.`, 400)

const mismatch = (header: string, field: string) =>
  new RpcError(CODES.headerMismatch, `The header ${header} must equal ${field} of the body.`, 400)

/** Whether `Mcp-Name` repeats a parameter. One that is not a string is left to the method to refuse. */
function repeats(header: string | undefined, parameter: unknown): boolean {
  const name = header === undefined ? undefined : decoded(header)
  return typeof parameter === 'string' ? name === parameter : name !== null
}

const PLAIN = /^[\t\x20-\x7e]*$/

/** The value of a header that may be Base64, or null (MCP 2026-07-28 Streamable HTTP, "Value Encoding"). */
function decoded(header: string): string | null {
  if (!PLAIN.test(header)) return null
  if (!header.startsWith('=?base64?') || !header.endsWith('?=')) return header
  const base64 = header.slice('=?base64?'.length, -'?='.length)
  const bytes = Buffer.from(base64, 'base64')
  return bytes.toString('base64') === base64 && isUtf8(bytes) ? bytes.toString() : null
}
