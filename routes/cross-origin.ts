import type { FastifyInstance } from 'fastify'

export interface CorsOptions {
  methods: string[]
  /** Request headers that a page may send. Default: all that it requests. */
  accepts?: string[]
  /** Response headers that a page may read. */
  exposes?: string[]
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** CORS headers for responses that are sent before the hooks of the route run. */
    crossOrigin?: Record<string, string>
  }
}

/** How many seconds browsers may cache a preflight response. */
const MAX_AGE = 3600

/** The CORS headers of every response except those to preflight requests. */
export function corsHeaders({ exposes = [] }: CorsOptions): Record<string, string> {
  const exposed = exposes.length > 0 ? { 'access-control-expose-headers': exposes.join(', ') } : {}
  return { 'access-control-allow-origin': '*', ...exposed }
}

/**
 * Allows pages of any origin to call the routes of a plugin and read their responses, including errors (RULES
 * M3, P8, T1; https://fetch.spec.whatwg.org/#http-cors-protocol). Call it before adding other hooks. These
 * routes ignore cookies. The `bearer` hook decides which origins may call the MCP endpoints (P9).
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
    const allowed = options.accepts?.join(', ') ?? request.headers['access-control-request-headers']
    if (allowed) reply.header('Access-Control-Allow-Headers', allowed)
    reply.code(204).headers(preflight).send()
  })
}
