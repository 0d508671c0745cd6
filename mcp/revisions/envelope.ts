import { CODES, failure, type Id, RpcError, type RpcFailure, type RpcRequest } from '../json-rpc.js'
import { hasBatches, namesStateless, requestRevision } from './protocol-version.js'

const MAX_BATCH_SIZE = 50

/** A parsed message: a request, a message that needs no response, or an invalid message with its error response. */
export type Message =
  | { kind: 'request'; request: RpcRequest }
  | { kind: 'unanswered' }
  | { kind: 'refused'; status: number; response: RpcFailure }

/**
 * Parses a body. A malformed one is not `initialize`, so its revision is checked (RULES P9, X7).
 * @throws RpcError 400 if it is not JSON
 */
export function readBody(body: string, protocolVersion: string | undefined): unknown {
  try {
    return JSON.parse(body)
  } catch {
    if (!namesStateless(protocolVersion)) requestRevision(protocolVersion, null)
    throw new RpcError(CODES.parseError, 'The body is not JSON.', 400)
  }
}

/**
 * Reads a single message. The SDK silently ignores malformed messages, so requests are validated here and
 * rebuilt from the members that JSON-RPC defines (RULES X4, X13).
 */
export function readMessage(value: unknown): Message {
  if (!isObject(value) || value.jsonrpc !== '2.0') {
    return refuse(null, CODES.invalidRequest, 'A message must be a JSON-RPC 2.0 object.', 400)
  }
  const { id, method, params } = value
  if (method === undefined && ('result' in value || 'error' in value)) return { kind: 'unanswered' }
  if (typeof method !== 'string') {
    return refuse(idOf(value), CODES.invalidRequest, '"method" must be a string.', 400)
  }
  // Notifications are not passed on: all clients share one Server, so `notifications/cancelled` could cancel
  // another client's request (RULES X13).
  if (id === undefined) return { kind: 'unanswered' }
  if (!isId(id)) {
    return refuse(null, CODES.invalidRequest, '"id" must be a string or an integer.', 400)
  }
  if (params === undefined) return { kind: 'request', request: { id, method } }
  if (!isObject(params)) return refuse(id, CODES.invalidParams, '"params" must be an object.', 200)
  // Progress and tasks are not supported, so the parameters that request them are removed.
  const { task: _task, _meta, ...known } = params
  return { kind: 'request', request: { id, method, params: known, ...traceIn(_meta) } }
}

function traceIn(meta: unknown): Pick<RpcRequest, 'trace'> {
  if (!isObject(meta) || typeof meta.traceparent !== 'string') return {}
  const { traceparent, tracestate } = meta
  return { trace: { traceparent, tracestate } }
}

/**
 * Reads a batch (MCP 2025-03-26 Transports; removed in 2025-06-18).
 * @throws RpcError 400 if the whole batch is rejected (RULES X3, X5)
 */
export function readBatch(values: unknown[], revision: string): Message[] {
  const invalidBatch = (message: string) => new RpcError(CODES.invalidRequest, message, 400)
  if (!hasBatches(revision))
    throw invalidBatch(`MCP ${revision} does not support batches. Send one message at a time.`)
  if (values.length === 0) throw invalidBatch('A batch must not be empty.')
  if (values.length > MAX_BATCH_SIZE)
    throw invalidBatch(`A batch can contain at most ${MAX_BATCH_SIZE} messages.`)
  if (values.some(value => isObject(value) && value.method === 'initialize')) {
    throw invalidBatch('"initialize" must not be part of a batch.')
  }
  const messages = values.map(readMessage)
  const ids = new Set<Id>()
  for (const message of messages) {
    if (message.kind !== 'request') continue
    const { id } = message.request
    if (ids.has(id)) throw invalidBatch('The ids of a batch must be unique.')
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

/** The id for an error response, or null if the message has no valid id (JSON-RPC 2.0 §5). */
export function idOf(value: unknown): Id | null {
  return isObject(value) && isId(value.id) ? value.id : null
}

/** Replaces an unreadable id: null, but from MCP 2026-07-28 on the member is absent (RULES N10). */
export function unreadableId(protocolVersion: string | undefined): null | undefined {
  return namesStateless(protocolVersion) ? undefined : null
}

/** Whether a parsed value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
