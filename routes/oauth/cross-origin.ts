import type { CorsOptions } from '../cross-origin.js'

/** Clients that run in browsers are supported (RULES T1). */
export const CLIENT_CORS: CorsOptions = {
  methods: ['POST'],
  accepts: ['content-type', 'authorization', 'mcp-protocol-version'],
  exposes: ['WWW-Authenticate', 'Retry-After'],
}
