import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { enableCors } from '../cross-origin.js'
import { CLIENT_CORS } from './cross-origin.js'
import { acceptFormsOnly, formFields } from './form.js'
import { NO_STORE, useJsonErrors } from './json-errors.js'
import { rejectOtherMethods } from './method-not-allowed.js'

/** The token endpoint (RFC 6749 §3.2, SPEC §4.3). */
export default async function tokenRoutes(app: FastifyInstance) {
  enableCors(app, CLIENT_CORS)
  useJsonErrors(app)
  await acceptFormsOnly(app)

  // `/token` is the fallback of MCP 2025-03-26 for clients without discovery (RULES M6).
  for (const url of ['/oauth/token', '/token']) {
    app.post(url, exchange)
    rejectOtherMethods(app, url, ['POST'])
  }

  async function exchange(request: FastifyRequest, reply: FastifyReply) {
    return reply.headers(NO_STORE).send(await app.oauth.exchange(formFields(request)))
  }
}
