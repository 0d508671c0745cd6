/** A JSON-RPC 2.0 id: a string or a safe integer (RULES X4). */
export type Id = string | number

export interface RpcRequest {
  id: Id
  method: string
  params?: Record<string, unknown>
}

export interface ErrorObject {
  code: number
  message: string
}

export type Result = Record<string, unknown>

export type RpcResponse =
  | { jsonrpc: '2.0'; id: Id; result: Result }
  | { jsonrpc: '2.0'; id: Id | null; error: ErrorObject }

export const codes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** From the range for server errors: the request cannot be processed as sent. */
  refused: -32000,
  /** The code that the SDK's HTTP server uses for unknown sessions. */
  sessionNotFound: -32001,
} as const

/** An error whose message is sent to the client. All other errors are only logged. */
export class RpcError extends Error {
  readonly code: number
  /** The HTTP status if this error is the whole response. */
  readonly status: number

  constructor(code: number, message: string, status = 200) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** An error response. `id` is null if the id of the request could not be read (JSON-RPC 2.0 §5). */
export function failure(id: Id | null, { code, message }: ErrorObject): RpcResponse {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

/** The JSON of constant results. */
const constants = new WeakMap<Result, string>()

/** Marks a result as constant, so that it is serialized only once. */
export function constant(result: Result): Result {
  constants.set(result, JSON.stringify(result))
  return result
}

/** Serializes a response or a batch of responses. */
export function jsonOf(body: RpcResponse | RpcResponse[]): string {
  if (Array.isArray(body)) return `[${body.map(jsonOf).join()}]`
  const result = 'result' in body ? constants.get(body.result) : undefined
  if (result === undefined) return JSON.stringify(body)
  return `{"jsonrpc":"2.0","id":${JSON.stringify(body.id)},"result":${result}}`
}
