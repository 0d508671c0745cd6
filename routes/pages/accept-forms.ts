import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import { pathOf } from '../../platform/common/path.js'
import { wantsPage } from '../../plugins/errors.js'
import { showUnsentForm } from './continue.js'

const FORM_BYTES = 16 * 1024

/** Lets these routes accept forms and requires each to carry a token of one of our pages (RULES C1). */
export async function acceptForms(app: FastifyInstance, bodyLimit = FORM_BYTES) {
  await app.register(formbody, { bodyLimit })
  app.addHook('preValidation', async (request, reply) => {
    if (request.method !== 'POST' || request.routeOptions.config.checksCsrfItself) return
    try {
      // The token is bound to the path that the form posts to.
      request.checkCsrf(pathOf(request.url))
    } catch (error) {
      // The session has changed since the page was opened. The entered text is kept.
      const form = request.account && wantsPage(request) ? request.ownForm() : null
      if (form?.method !== 'POST') throw error
      return showUnsentForm(reply.code(403), form)
    }
  })
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The token is in a body that the handler reads as a stream (uploads). */
    checksCsrfItself?: true
  }
}
