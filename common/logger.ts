import { type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { DestinationStream } from 'pino'
import { pathOf } from './path.js'

/** Tokens, codes and ids of consent pages are at least this long; nothing else in our paths is. */
const SECRET = /[\w-]{43,}/g

/** JSON lines on stdout, or into `stream`, without anything that could be a secret (RULES S1). */
export function loggerOptions({ logLevel }: { logLevel: string }, stream?: DestinationStream) {
  return {
    level: logLevel,
    serializers: {
      req: ({ method, url, ip }: FastifyRequest) => ({
        method,
        path: pathOf(url).replace(SECRET, '[secret]'),
        from: ip,
      }),
      err: faultOf,
    },
    // @fastify/multipart logs the headers of an upload at level trace, cookies and all.
    redact: ['busboyOptions.headers'],
    ...(stream ? { stream } : {}),
  }
}

/** One line for each request, when it was answered. Fastify's own two take twice the time (docs/decisions/0020). */
export class CompletionLogController extends LogController {
  override incomingRequest() {}

  override requestCompleted(error: Error | null, request: FastifyRequest, reply: FastifyReply) {
    const line = { req: request, res: reply, responseTime: reply.elapsedTime }
    if (error) request.log.error({ ...line, err: error }, 'request errored')
    else request.log.info(line, 'request completed')
  }
}

type Fault = {
  type: string
  message: string
  stack: string
  code?: string
  cause?: Fault
}

/**
 * What is said of an error. Its other members stay out: Node's parser keeps the bytes that a client sent, ioredis the
 * arguments of the command.
 */
function faultOf(error: unknown): Fault {
  if (!(error instanceof Error)) return { type: typeof error, message: 'This was thrown.', stack: '' }
  const { name: type, message, stack = '', cause, code } = error as NodeJS.ErrnoException
  return { type, message, stack, ...(code && { code }), ...(cause ? { cause: faultOf(cause) } : {}) }
}
