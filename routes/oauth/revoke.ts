import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { enableCors } from '../cross-origin.js'
import { CLIENT_CORS } from './cross-origin.js'
import { acceptFormsOnly, formFields } from './form.js'
import { NO_STORE, useJsonErrors } from './json-errors.js'
import { rejectOtherMethods } from './method-not-allowed.js'

/** Token revocation (RFC 7009). */
export default async function revokeRoutes(app: FastifyInstance) {
  enableCors(app, CLIENT_CORS)
  useJsonErrors(app)
  await acceptFormsOnly(app)
  app.post('/oauth/revoke', revoke)
  rejectOtherMethods(app, '/oauth/revoke', ['POST'])

  async function revoke(request: FastifyRequest, reply: FastifyReply) {
    await app.oauth.revoke(formFields(request))
    return reply.code(200).headers(NO_STORE).send()
  }
}
