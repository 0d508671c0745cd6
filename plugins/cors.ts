import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

type Headers = Record<string, string>

interface Rule {
  path: RegExp
  /** Of every answer. */
  headers: Headers
  /** Of the answer to a preflight, besides. */
  preflight: Headers
}

function rule(path: RegExp, methods: string[], allowed: string[], exposed: string[]): Rule {
  const headers: Headers = { 'Access-Control-Allow-Origin': '*' }
  if (exposed.length > 0) headers['Access-Control-Expose-Headers'] = exposed.join(', ')
  const preflight: Headers = {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Max-Age': '3600',
    'Content-Length': '0',
  }
  if (allowed.length > 0) preflight['Access-Control-Allow-Headers'] = allowed.join(', ')
  return { path, headers, preflight }
}

/** What programs in browsers may read, by path; pages are for nobody else's scripts. */
const RULES: Rule[] = [
  rule(
    /^\/mcp\/v1(?:[/?]|$)/,
    ['POST', 'GET', 'DELETE'],
    [
      'authorization',
      'content-type',
      'accept',
      'mcp-protocol-version',
      'mcp-session-id',
      'mcp-method',
      'mcp-name',
      'last-event-id',
    ],
    ['WWW-Authenticate', 'Mcp-Session-Id'],
  ),
  rule(
    /^\/(?:(?:oauth\/)?(?:token|register)|oauth\/revoke)(?:\?|$)/,
    ['POST'],
    ['content-type', 'authorization', 'mcp-protocol-version'],
    ['WWW-Authenticate', 'Retry-After'],
  ),
  rule(/^\/\.well-known\//, ['GET', 'HEAD'], ['*'], []),
]

/**
 * Cross-origin reading (RULES M3, P8, T1). Which origins may call the MCP endpoints at all is judged there (P9).
 * Constants rather than @fastify/cors, which works its options out anew for every request that is to be told by path.
 */
export default fp(
  async function corsPlugin(app: FastifyInstance) {
    app.addHook('onRequest', (request, reply, done) => {
      const found = RULES.find(({ path }) => path.test(request.url))
      if (!found) return done()
      reply.headers(found.headers)
      if (request.method !== 'OPTIONS') return done()
      reply.code(204).headers(found.preflight).send()
    })
  },
  { name: 'cors' },
)
