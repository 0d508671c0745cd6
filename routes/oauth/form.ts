import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Parameters } from '../../oauth/parameters.js'

/** The most a token or revocation request or a decision can need (RULES T3). */
const LIMIT_BYTES = 16 * 1024

/** Lets one plugin's routes take forms and nothing else (RFC 6749 §3.2). A field sent twice becomes a list. */
export async function acceptFormsOnly(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(formbody, { bodyLimit: LIMIT_BYTES })
}

/** The fields of a form; none when there was no body. */
export const formFields = (request: FastifyRequest): Parameters => (request.body ?? {}) as Parameters
