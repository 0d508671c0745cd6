/** JSON-RPC 2.0 as this service speaks it: ids are strings or safe integers (RULES X4). */
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
  /** Of the range left to servers: the request cannot be served as it was sent. */
  refused: -32000,
  /** What the SDK's own HTTP server answers for unknown sessions. */
  sessionNotFound: -32001,
} as const

/** A fault that the sender is told of, in these words. Anything else that is thrown stays in the log. */
export class RpcError extends Error {
  readonly code: number
  /** The HTTP status when it is the whole answer. */
  readonly status: number

  constructor(code: number, message: string, status = 200) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** The answer that tells of a fault; `id` is null when the request's own could not be read (JSON-RPC 2.0 §5). */
export function failure(id: Id | null, { code, message }: ErrorObject): RpcResponse {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

/** Results that never change, and their JSON. */
const constants = new WeakMap<Result, string>()

/** Marks a result as one that never changes: its JSON is made once. */
export function constant(result: Result): Result {
  constants.set(result, JSON.stringify(result))
  return result
}

/** A response or a batch of them as they travel. */
export function jsonOf(body: RpcResponse | RpcResponse[]): string {
  if (Array.isArray(body)) return `[${body.map(jsonOf).join()}]`
  const result = 'result' in body ? constants.get(body.result) : undefined
  if (result === undefined) return JSON.stringify(body)
  return `{"jsonrpc":"2.0","id":${JSON.stringify(body.id)},"result":${result}}`
}
