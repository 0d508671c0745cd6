import type { FastifyInstance } from 'fastify'
import { type CorsOptions, enableCors } from '../cross-origin.js'
import { accessOf, withinLimits, withoutNul } from './access.js'
import exportRoutes from './exports.js'
import importRoutes from './imports.js'
import openApiRoutes, { describedRoutes } from './openapi.js'
import { sendNotFound, sendProblem } from './problem.js'
import safeRoutes from './safes.js'
import syncRunRoutes from './sync-runs.js'
import uploadRoutes, { TUS_DESCRIPTION, TUS_EXPOSED } from './uploads.js'

/** As for MCP, pages of other origins may read answers; `app.bearer` decides which may call (RULES P9). */
const CORS: CorsOptions = {
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
  exposes: ['WWW-Authenticate', 'Retry-After', 'Location', ...TUS_EXPOSED],
}

/** The HTTP API (docs/api.md, ADR 57). */
export default async function apiRoutes(app: FastifyInstance) {
  app.setErrorHandler(sendProblem)
  app.removeContentTypeParser('text/plain')
  app.addHook('onRequest', async (request, reply) => {
    if (request.method === 'OPTIONS') reply.headers(TUS_DESCRIPTION)
  })
  enableCors(app, CORS)
  const routes = describedRoutes(app)
  await app.register(protectedRoutes)
  await app.register(openApiRoutes, { routes })
}

/** The routes that need a token. */
async function protectedRoutes(app: FastifyInstance) {
  const { oauth, rateLimiter } = app

  app.addHook('onRequest', async (request, reply) => {
    request.endpoint = 'api'
    reply.header('Cache-Control', 'no-store')
  })
  app.addHook('onRequest', app.bearer)
  app.addHook('onRequest', async request => oauth.usage.touch(accessOf(request).connectionId))
  app.addHook('onRequest', withinLimits)
  app.addHook('preHandler', withoutNul)
  app.addHook('onRoute', route => {
    const { handler } = route
    // A connection may have as many concurrent requests as for MCP.
    route.handler = function (request, reply) {
      const work = async () => handler.call(this, request, reply)
      return rateLimiter.run(accessOf(request).connectionId, work)
    }
  })
  await app.register(safeRoutes)
  await app.register(uploadRoutes)
  await app.register(importRoutes)
  await app.register(exportRoutes)
  await app.register(syncRunRoutes)
  app.setNotFoundHandler(sendNotFound)
}
