import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import accounts from './plugins/accounts/index.js'
import bearer from './plugins/bearer.js'
import type { Clock } from './plugins/clock.js'
import config, { type Config } from './plugins/config.js'
import cors from './plugins/cors.js'
import database from './plugins/database.js'
import errors from './plugins/errors.js'
import host from './plugins/host.js'
import oauth from './plugins/oauth/index.js'
import redis from './plugins/redis.js'
import safes from './plugins/safes/index.js'
import security from './plugins/security.js'
import serviceKey from './plugins/service-key.js'
import session from './plugins/session.js'
import views from './plugins/views.js'
import healthRoutes from './routes/health.js'
import loginRoutes from './routes/login.js'
import mcpRoutes from './routes/mcp.js'
import authorizeRoutes from './routes/oauth/authorize.js'
import consentRoutes from './routes/oauth/consent.js'
import registerRoutes from './routes/oauth/register.js'
import revokeRoutes from './routes/oauth/revoke.js'
import tokenRoutes from './routes/oauth/token.js'
import pageRoutes from './routes/pages/index.js'
import wellKnownRoutes from './routes/well-known.js'

export interface AppOptions {
  config: Config
  logger?: FastifyServerOptions['logger']
  /** Default: the system's. */
  clock?: Clock
}

/** The whole service, ready to listen. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const app = fastify(options)
  await registerDomains(app, options, 'server')

  await app.register(views)
  await app.register(errors)
  await app.register(host)
  await app.register(security)
  await app.register(cors)
  await app.register(session)
  await app.register(bearer)

  await app.register(healthRoutes)
  await app.register(wellKnownRoutes)
  await app.register(registerRoutes)
  await app.register(authorizeRoutes)
  await app.register(consentRoutes)
  await app.register(tokenRoutes)
  await app.register(revokeRoutes)
  await app.register(mcpRoutes)
  await app.register(loginRoutes)
  await app.register(pageRoutes)
  return app
}

/** The domains without HTTP: what the command line works with, beside a running server. */
export async function buildDomains(options: AppOptions): Promise<FastifyInstance> {
  const app = fastify(options)
  await registerDomains(app, options, 'cli')
  return app
}

async function registerDomains(app: FastifyInstance, options: AppOptions, role: 'server' | 'cli') {
  const clock = options.clock ?? Date.now
  await app.register(config, { config: options.config })
  await app.register(database, { role })
  await app.register(redis)
  await app.register(serviceKey)
  await app.register(accounts, { clock })
  await app.register(safes, { clock })
  await app.register(oauth, { clock })
}

function fastify({ config, logger = false }: AppOptions): FastifyInstance {
  return Fastify({
    logger,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    bodyLimit: 1024 * 1024,
    // Long enough for the largest upload (512 MiB) over a slow line; headers have Node's own minute.
    requestTimeout: 600_000,
    requestIdHeader: false,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  })
}
