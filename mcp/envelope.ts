import { codes, failure, type Id, RpcError, type RpcRequest, type RpcResponse } from './json-rpc.js'
import { hasBatches } from './protocol-version.js'

const BATCH_LIMIT = 50

/** One message of a body: what is to be answered, what needs no answer, or what is answered with a refusal. */
export type Message =
  | { kind: 'request'; request: RpcRequest }
  | { kind: 'unanswered' }
  | { kind: 'refused'; status: number; response: RpcResponse }

/** @throws RpcError 400 when the body is not JSON */
export function parseBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new RpcError(codes.parseError, 'The body is not JSON.', 400)
  }
}

/**
 * Reads a body's only message. The SDK answers a bad envelope with silence, so nothing reaches it that was not
 * rebuilt here from the members JSON-RPC knows (RULES X4, X13).
 */
export function readMessage(value: unknown): Message {
  if (!isObject(value) || value.jsonrpc !== '2.0') {
    return refuse(null, codes.invalidRequest, 'A message should be a JSON-RPC 2.0 object.', 400)
  }
  const { id, method, params } = value
  if (method === undefined && ('result' in value || 'error' in value)) return { kind: 'unanswered' }
  if (typeof method !== 'string') {
    return refuse(idOf(value), codes.invalidRequest, '"method" should be a string.', 400)
  }
  // A notification, e.g. `notifications/cancelled`: with one Server for everybody, acting on the request id it
  // names could end a stranger's request, so none is passed on (RULES X13).
  if (id === undefined) return { kind: 'unanswered' }
  if (!isId(id)) {
    return refuse(null, codes.invalidRequest, '"id" should be a string or an integer.', 400)
  }
  if (params === undefined) return { kind: 'request', request: { id, method } }
  if (!isObject(params)) return refuse(id, codes.invalidParams, '"params" should be an object.', 200)
  // No progress is reported and no tasks are kept, so what asks for them stays outside.
  const { task: _task, _meta, ...known } = params
  return { kind: 'request', request: { id, method, params: known } }
}

/**
 * Reads a batch (MCP 2025-03-26 Transports; taken out in 2025-06-18).
 * @throws RpcError 400 when the batch as a whole is refused (RULES X3, X5)
 */
export function readBatch(values: unknown[], revision: string): Message[] {
  const refuseBatch = (why: string) => new RpcError(codes.invalidRequest, why, 400)
  if (!hasBatches(revision)) throw refuseBatch(`MCP ${revision} has no batches: send one message at a time.`)
  if (values.length === 0) throw refuseBatch('A batch should not be empty.')
  if (values.length > BATCH_LIMIT) throw refuseBatch(`A batch may hold ${BATCH_LIMIT} messages.`)
  if (values.some(value => isObject(value) && value.method === 'initialize')) {
    throw refuseBatch('"initialize" should not be part of a batch.')
  }
  const messages = values.map(readMessage)
  const ids = new Set<Id>()
  for (const message of messages) {
    if (message.kind !== 'request') continue
    const { id } = message.request
    if (ids.has(id)) throw refuseBatch('The ids of a batch should differ.')
    ids.add(id)
  }
  return messages
}

function refuse(id: Id | null, code: number, message: string, status: number): Message {
  return { kind: 'refused', status, response: failure(id, { code, message }) }
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

/** The id a refusal answers to, or null when there is none to read (JSON-RPC 2.0 §5). */
export function idOf(value: unknown): Id | null {
  return isObject(value) && isId(value.id) ? value.id : null
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
