import { Server, type ServerOptions } from '@modelcontextprotocol/sdk/server/index.js'
import type { RequestContext } from './context.js'
import type { Result, RpcRequest } from './json-rpc.js'

/** A handler as the SDK registers it: `extra.authInfo` carries our context. */
type Handler = (
  request: Pick<RpcRequest, 'method' | 'params'>,
  extra: HandlerExtra,
) => Result | Promise<Result>

/** The part of the SDK's `RequestHandlerExtra` that our handlers use. */
export interface HandlerExtra {
  authInfo: { extra: { context: RequestContext } }
}

/** In place of Ajv, with which the SDK would check what users answer: they are never asked (elicitation). */
export const NO_ELICITATION: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator: () => {
    throw new Error('users are never asked by MCP')
  },
}

type Registration = Parameters<Server['setRequestHandler']>

/**
 * The SDK's server, which remembers its handlers so that `Dispatch` can call them without sending a message
 * through `Protocol` (ADR 7). They receive requests unparsed.
 */
export class RecordingServer extends Server {
  // The constructor of `Protocol` registers handlers before the fields of this class exist.
  declare handlers?: Map<string, Handler>

  override setRequestHandler(...[schema, handler]: Registration): void {
    this.handlers ??= new Map()
    const { method } = (schema as unknown as { shape: { method: { value: string } } }).shape
    this.handlers.set(method.value, handler as unknown as Handler)
    super.setRequestHandler(schema, handler)
  }

  /** Registers a handler that reads its parameters itself. */
  handle(schema: Registration[0], handler: Handler): void {
    this.setRequestHandler(schema, handler as unknown as Registration[1])
  }

  handlerOf(method: string): Handler | undefined {
    return this.handlers?.get(method) ?? (this.fallbackRequestHandler as Handler | undefined)
  }
}
