import type { FastifyInstance, HTTPMethods } from 'fastify'

/** Responds with 405 to every method not in `allowed` (RFC 9110 §15.5.6), before reading the body. */
export function rejectOtherMethods(app: FastifyInstance, url: string, allowed: readonly HTTPMethods[]): void {
  const all: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'OPTIONS']
  app.route({
    method: all.filter(method => !allowed.includes(method)),
    url,
    onRequest: async (_request, reply) =>
      reply
        .code(405)
        .headers({ Allow: allowed.join(', '), 'Cache-Control': 'no-store' })
        .send({ error: 'method_not_allowed', error_description: `Use ${allowed.join(' or ')}.` }),
    handler: async () => {},
  })
}
