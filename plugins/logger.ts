import type { FastifyRequest } from 'fastify'
import type { DestinationStream } from 'pino'
import type { Config } from './config.js'
import { pathOf } from './path.js'

/** JSON lines on stdout, or into `stream`, without anything that could be a secret (RULES S1). */
export function loggerOptions({ logLevel }: Config, stream?: DestinationStream) {
  return {
    level: logLevel,
    serializers: {
      req: (request: FastifyRequest) => ({
        method: request.method,
        path: pathOf(request.url),
        from: request.ip,
      }),
    },
    // @fastify/multipart logs the headers of an upload at level trace, cookies and all.
    redact: ['busboyOptions.headers'],
    ...(stream ? { stream } : {}),
  }
}
