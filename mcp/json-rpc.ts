/** A JSON-RPC 2.0 id: a string or a safe integer (RULES X4). */
export type Id = string | number

export interface RpcRequest {
  id: Id
  method: string
  params?: Record<string, unknown>
  /** The trace continued from its client (`_meta`, SEP-414). */
  trace?: { traceparent: string; tracestate: unknown }
  /** Its client shows pages of a server next to answers, as every request of MCP 2026-07-28 declares. */
  showsApps?: true
}

interface ErrorObject {
  code: number
  message: string
  data?: unknown
}

export type Result = Record<string, unknown>

/** Absent if a message of MCP 2026-07-28 has no readable id; null in earlier revisions. */
export interface RpcFailure {
  jsonrpc: '2.0'
  id: Id | null | undefined
  error: ErrorObject
}

export type RpcResponse = { jsonrpc: '2.0'; id: Id; result: Result } | RpcFailure

export const CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** From the range for server errors: the request cannot be processed as sent. */
  refused: -32000,
  /** The code that the SDK's HTTP server uses for unknown sessions. */
  sessionNotFound: -32001,
  /** MCP 2026-07-28: a required header is missing or differs from the body. */
  headerMismatch: -32020,
  /** MCP 2026-07-28 */
  unsupportedProtocolVersion: -32022,
} as const

/** An error whose message is sent to the client. All other errors are only logged. */
export class RpcError extends Error {
  readonly code: number
  /** The HTTP status if this error is the whole response. */
  readonly status: number
  readonly data: unknown

  constructor(code: number, message: string, status = 200, data?: unknown) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}

/** An error response. `id` is null if the id of the request could not be read (JSON-RPC 2.0 §5). */
export function failure(id: RpcFailure['id'], { code, message, data }: ErrorObject): RpcFailure {
  return { jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } }
}

/** The JSON of constant results, null until first used: serializing all of them would slow down the start. */
const constants = new WeakMap<Result, string | null>()

/** Marks a result as constant, so that it is serialized only once. */
export function constant(result: Result): Result {
  constants.set(result, null)
  return result
}

/** Whether it was marked by `constant`. */
export const isConstant = (result: Result): boolean => constants.has(result)

/** Serializes a response or a batch of responses. */
export function jsonOf(body: RpcResponse | RpcResponse[]): string {
  if (Array.isArray(body)) return `[${body.map(jsonOf).join()}]`
  if (!('result' in body && isConstant(body.result))) return JSON.stringify(body)
  return `{"jsonrpc":"2.0","id":${JSON.stringify(body.id)},"result":${constantJson(body.result)}}`
}

function constantJson(result: Result): string {
  const json = constants.get(result) ?? JSON.stringify(result)
  constants.set(result, json)
  return json
}
