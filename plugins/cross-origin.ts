import type { FastifyInstance } from 'fastify'

export interface CrossOrigin {
  methods: string[]
  /** Headers that a page may send. Absent: whichever it asks for. */
  accepts?: string[]
  /** Headers of answers that a page may read. */
  exposes?: string[]
}

/** Seconds for which a browser need not ask again. */
const MAX_AGE = 3600

/**
 * Lets pages of any origin call the routes of one plugin and read what they answer, refusals too (RULES M3, P8, T1;
 * https://fetch.spec.whatwg.org/#http-cors-protocol). Its other hooks come after it. Cookies count for nothing there,
 * and which origins may call the MCP endpoints at all is judged by `bearer` (P9).
 */
export function openToAnyOrigin(app: FastifyInstance, { methods, accepts, exposes = [] }: CrossOrigin): void {
  const exposed = exposes.join(', ')
  const preflight = {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Max-Age': MAX_AGE,
  }
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('Access-Control-Allow-Origin', '*')
    if (request.method === 'OPTIONS') {
      const accepted = accepts?.join(', ') ?? request.headers['access-control-request-headers']
      if (accepted) reply.header('Access-Control-Allow-Headers', accepted)
      reply.code(204).headers(preflight).send()
      return
    }
    if (exposed) reply.header('Access-Control-Expose-Headers', exposed)
    done()
  })
}
