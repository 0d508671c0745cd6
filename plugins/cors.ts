import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { pathOf } from './path.js'

const shared: FastifyCorsOptions = { origin: '*', strictPreflight: false, maxAge: 3600 }

/** What programs in browsers may read, by path; pages are for nobody else's scripts. */
const RULES: { path: RegExp; options: FastifyCorsOptions }[] = [
  { path: /^\/\.well-known\//, options: { ...shared, methods: ['GET', 'HEAD'] } },
  {
    path: /^\/(?:(?:oauth\/)?(?:token|register)|oauth\/revoke)$/,
    options: {
      ...shared,
      methods: ['POST'],
      allowedHeaders: ['content-type', 'authorization', 'mcp-protocol-version'],
      exposedHeaders: ['WWW-Authenticate', 'Retry-After'],
    },
  },
  {
    path: /^\/mcp\/v1(?:\/|$)/,
    options: {
      ...shared,
      methods: ['POST', 'GET', 'DELETE'],
      allowedHeaders: [
        'authorization',
        'content-type',
        'accept',
        'mcp-protocol-version',
        'mcp-session-id',
        'mcp-method',
        'mcp-name',
        'last-event-id',
      ],
      exposedHeaders: ['WWW-Authenticate', 'Mcp-Session-Id'],
    },
  },
]

const closed: FastifyCorsOptions = { origin: false, strictPreflight: false }

const optionsFor = (request: FastifyRequest) => {
  const path = pathOf(request.url)
  return RULES.find(rule => rule.path.test(path))?.options ?? closed
}

/** Cross-origin reading (RULES M3, P8, T1). Which origins may call the MCP endpoints at all is judged there (P9). */
export default fp(
  async function corsPlugin(app: FastifyInstance) {
    await app.register(cors, {
      delegator: (request, callback) => callback(null, optionsFor(request)),
    })
  },
  { name: 'cors' },
)
