import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { DestinationStream } from 'pino'
import { pathOf } from '../platform/common/path.js'
import { standardLog } from './log-destination.js'
import { readable } from './readable-log.js'

/** Only tokens, codes and ids of consent pages are this long in our paths. */
const SECRET = /[\w-]{43,}/g

/** Logs JSON lines to `stream`, without secrets (RULES S1). Default: standard output, readable on a terminal. */
export function loggerOptions(
  { logLevel }: { logLevel: string },
  stream: DestinationStream = process.stdout.isTTY ? readable(standardLog()) : standardLog(),
) {
  return {
    level: logLevel,
    serializers: {
      req: ({ method, url, ip }: FastifyRequest) => ({
        method,
        path: pathOf(url).replace(SECRET, '[secret]'),
        from: ip,
      }),
      err: serializeError,
    },
    // @fastify/multipart logs the headers of uploads, including cookies, at level trace.
    redact: ['busboyOptions.headers'],
    stream,
  }
}

/** Logs one line per request, on completion. Fastify's default of two takes twice the time (docs/decisions/0020). */
export class CompletionLogController extends LogController {
  override incomingRequest() {}

  override requestCompleted(error: Error | null, request: FastifyRequest, reply: FastifyReply) {
    const line = { req: request, res: reply, responseTime: reply.elapsedTime }
    if (error) request.log.error({ ...line, err: error }, 'request errored')
    else request.log.info(line, 'request completed')
  }
}

type SerializedError = {
  type: string
  message: string
  stack: string
  code?: string
  cause?: SerializedError
}

/**
 * Omits all other members of an error: Node's HTTP parser attaches the bytes that a client sent, and ioredis
 * the arguments of the command.
 */
function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'A value that is not an Error was thrown.', stack: '' }
  const { name: type, message, stack = '', cause, code } = error as NodeJS.ErrnoException
  return { type, message, stack, ...(code && { code }), ...(cause ? { cause: serializeError(cause) } : {}) }
}
