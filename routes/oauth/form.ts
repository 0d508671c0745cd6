import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Parameters } from '../../domain/oauth/parameters.js'

/** Enough for any token request, revocation request or consent form (RULES T3). */
const MAX_FORM_BYTES = 16 * 1024

/** Makes the routes of a plugin accept forms only (RFC 6749 §3.2). A repeated field becomes an array. */
export async function acceptFormsOnly(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(formbody, { bodyLimit: MAX_FORM_BYTES })
}

/** The fields of a form, or an empty object if there is no body. */
export const formFields = (request: FastifyRequest): Parameters => (request.body ?? {}) as Parameters
