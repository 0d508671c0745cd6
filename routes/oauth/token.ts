import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openToAnyOrigin } from '../cross-origin.js'
import { FOR_CLIENTS } from './cross-origin.js'
import { acceptFormsOnly, fieldsOf } from './form.js'
import { answerErrorsInJson, NOT_STORED } from './json-errors.js'
import { refuseOtherMethods } from './method-not-allowed.js'

/** The token endpoint (RFC 6749 §3.2, SPEC §4.3). */
export default async function tokenRoutes(app: FastifyInstance) {
  openToAnyOrigin(app, FOR_CLIENTS)
  answerErrorsInJson(app)
  await acceptFormsOnly(app)

  // The alias is MCP 2025-03-26's fallback for clients without discovery (RULES M6).
  for (const url of ['/oauth/token', '/token']) {
    app.post(url, exchange)
    refuseOtherMethods(app, url, ['POST'])
  }

  async function exchange(request: FastifyRequest, reply: FastifyReply) {
    return reply.headers(NOT_STORED).send(await app.oauth.exchange(fieldsOf(request)))
  }
}
