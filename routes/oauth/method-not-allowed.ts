import type { FastifyInstance, HTTPMethods } from 'fastify'

/** Answers every method but those of `allowed` with 405 (RFC 9110 §15.5.6), before any body is looked at. */
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
