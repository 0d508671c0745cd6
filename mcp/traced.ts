import type { RequestContext } from './context.js'
import type { RpcRequest, RpcResponse } from './json-rpc.js'
import { toolNames } from './tools/names.js'

/** Answers a request. */
export type Handle = (request: RpcRequest, context: RequestContext) => Promise<RpcResponse>

/** Runs one request and measures its time. */
export type Traced = (request: TracedRequest, work: () => Promise<RpcResponse>) => Promise<RpcResponse>

/** The attributes of a request in a trace: no values chosen by its client. */
interface TracedRequest {
  method: string
  tool: string | undefined
  trace: RpcRequest['trace']
  /** The type of error that a response reports. */
  errorOf(response: RpcResponse): string | undefined
}

const METHODS = new Set([
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'server/discover',
])

/** Answers requests within a trace. */
export function tracedHandle(handle: Handle, traced: Traced, brand: string): Handle {
  const tools = new Set<unknown>(Object.values(toolNames(brand)))
  return (request, context) => {
    const { method, params: { name } = {}, trace } = request
    const described = {
      method: METHODS.has(method) ? method : 'other',
      tool: method === 'tools/call' && tools.has(name) ? (name as string) : undefined,
      trace,
      errorOf,
    }
    return traced(described, () => handle(request, context))
  }
}

/** The code of an error, or `tool_error` (OpenTelemetry semantic conventions, "MCP"). */
function errorOf(response: RpcResponse): string | undefined {
  if ('error' in response) return String(response.error.code)
  return response.result.isError === true ? 'tool_error' : undefined
}
