import type { CorsOptions } from '../cross-origin.js'

/** Clients in browsers are as welcome as others (RULES T1). */
export const CLIENT_CORS: CorsOptions = {
  methods: ['POST'],
  accepts: ['content-type', 'authorization', 'mcp-protocol-version'],
  exposes: ['WWW-Authenticate', 'Retry-After'],
}
