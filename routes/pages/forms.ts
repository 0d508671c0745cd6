import formbody from '@fastify/formbody'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance } from 'fastify'
import { pathOf } from '../../common/path.js'

const FORM_BYTES = 16 * 1024

/** A field of a form: one value, without NUL characters. */
export const TextField = (maxLength = 1000) => Type.String({ maxLength, pattern: '^[^\\u0000]*$' })

/** Lets these routes take forms, each of which has to prove that one of our pages made it (RULES C1). */
export async function acceptForms(app: FastifyInstance, bodyLimit = FORM_BYTES) {
  await app.register(formbody, { bodyLimit })
  app.addHook('preValidation', async request => {
    if (request.method === 'POST' && !request.routeOptions.config.checksCsrfItself) {
      // The scope of a form's token is the path it posts to.
      request.checkCsrf(pathOf(request.url))
    }
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The token is in a body that the handler reads as it comes in (uploads). */
    checksCsrfItself?: true
  }
}
