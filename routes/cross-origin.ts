import type { FastifyInstance } from 'fastify'

export interface CorsOptions {
  methods: string[]
  /** Headers that a page may send. Absent: whichever it asks for. */
  accepts?: string[]
  /** Headers of answers that a page may read. */
  exposes?: string[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Headers for answers that are given before the hooks of the route. */
    crossOrigin?: Record<string, string>
  }
}

/** Seconds for which a browser need not ask again. */
const MAX_AGE = 3600

/** What every answer carries, besides those to preflights. */
export function corsHeaders({ exposes = [] }: CorsOptions): Record<string, string> {
  const exposed = exposes.length > 0 ? { 'access-control-expose-headers': exposes.join(', ') } : {}
  return { 'access-control-allow-origin': '*', ...exposed }
}

/**
 * Lets pages of any origin call the routes of one plugin and read what they answer, refusals too (RULES M3, P8, T1;
 * https://fetch.spec.whatwg.org/#http-cors-protocol). Its other hooks come after it. Cookies count for nothing there,
 * and which origins may call the MCP endpoints at all is judged by `bearer` (P9).
 */
export function enableCors(app: FastifyInstance, options: CorsOptions): void {
  const headers = corsHeaders(options)
  const preflight = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': options.methods.join(', '),
    'Access-Control-Max-Age': MAX_AGE,
  }
  app.addHook('onRoute', route => {
    route.config = { ...route.config, crossOrigin: headers }
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'OPTIONS') {
      reply.headers(headers)
      return done()
    }
    const accepted = options.accepts?.join(', ') ?? request.headers['access-control-request-headers']
    if (accepted) reply.header('Access-Control-Allow-Headers', accepted)
    reply.code(204).headers(preflight).send()
  })
}
