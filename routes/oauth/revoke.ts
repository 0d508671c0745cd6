import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openToAnyOrigin } from '../cross-origin.js'
import { FOR_CLIENTS } from './cross-origin.js'
import { acceptFormsOnly, fieldsOf } from './form.js'
import { answerErrorsInJson, NOT_STORED } from './json-errors.js'
import { refuseOtherMethods } from './method-not-allowed.js'

/** Token revocation (RFC 7009). */
export default async function revokeRoutes(app: FastifyInstance) {
  openToAnyOrigin(app, FOR_CLIENTS)
  answerErrorsInJson(app)
  await acceptFormsOnly(app)
  app.post('/oauth/revoke', revoke)
  refuseOtherMethods(app, '/oauth/revoke', ['POST'])

  async function revoke(request: FastifyRequest, reply: FastifyReply) {
    await app.oauth.revoke(fieldsOf(request))
    return reply.code(200).headers(NOT_STORED).send()
  }
}
