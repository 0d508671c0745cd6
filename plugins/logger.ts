import type { FastifyRequest } from 'fastify'
import type { DestinationStream } from 'pino'
import type { Config } from './config.js'

/** JSON lines on stdout, or into `stream`, without anything that could be a secret (RULES S1). */
export function loggerOptions({ logLevel }: Config, stream?: DestinationStream) {
  return {
    level: logLevel,
    serializers: {
      // Without the query string: it may carry codes, states and one-time links.
      req: (request: FastifyRequest) => ({
        method: request.method,
        path: request.url.split('?', 1)[0],
        from: request.ip,
      }),
    },
    ...(stream ? { stream } : {}),
  }
}
