import type { CrossOrigin } from '../cross-origin.js'

/** Clients in browsers are as welcome as others (RULES T1). */
export const FOR_CLIENTS: CrossOrigin = {
  methods: ['POST'],
  accepts: ['content-type', 'authorization', 'mcp-protocol-version'],
  exposes: ['WWW-Authenticate', 'Retry-After'],
}
