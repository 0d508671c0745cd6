import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { ScryptCost } from './accounts/password.js'
import type { Clock } from './common/clock.js'
import { OneLineEach } from './common/logger.js'
import { pathOf } from './common/path.js'
import { MAX_SEALED_LENGTH } from './oauth/authorize/sealed-request.js'
import { createFetchDocument, type FetchDocument } from './oauth/clients/document-fetch.js'
import accounts from './plugins/accounts.js'
import config, { type Config } from './plugins/config.js'
import database from './plugins/database.js'
import oauth from './plugins/oauth.js'
import redis from './plugins/redis.js'
import safes from './plugins/safes.js'
import serviceKey from './plugins/service-key.js'
import { schemaController } from './routes/schema-check.js'

export interface AppOptions {
  config: Config
  logger?: FastifyServerOptions['logger']
  /** Default: the system's. */
  clock?: Clock
  /** What it takes to guess a password. Default: OWASP's recommendation. */
  passwordCost?: ScryptCost
  /** How clients' documents are fetched (RULES D2). */
  fetchDocument?: FetchDocument
  /** How long a service that stops tells its clients so before it lets nobody in. Default: not at all. */
  stopGraceMs?: number
  /** How long a body may take that is no upload. Default: 15 s. */
  bodyMs?: number
}

/**
 * The domains without HTTP: what `app.ts` puts routes in front of, and all that the command line loads. A server owns
 * its data folder alone; the command line works beside it.
 */
export async function buildDomains(options: AppOptions, role: 'server' | 'cli'): Promise<FastifyInstance> {
  const app = fastify(options)
  const clock = options.clock ?? Date.now
  await app.register(config, { config: options.config })
  await app.register(database, { role })
  await app.register(redis)
  await app.register(serviceKey)
  await app.register(accounts, { clock, passwordCost: options.passwordCost })
  await app.register(safes, { clock })
  await app.register(oauth, { clock, fetchDocument: options.fetchDocument ?? createFetchDocument() })
  return app
}

function fastify({ config, logger = false }: AppOptions): FastifyInstance {
  return Fastify({
    logger,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    bodyLimit: 1024 * 1024,
    // Long enough for the largest upload (512 MiB) over a slow line; for other bodies see plugins/body-deadline.ts.
    requestTimeout: 600_000,
    requestIdHeader: false,
    logController: new OneLineEach(),
    // What still comes while it stops is answered (plugins/shutdown.ts).
    return503OnClosing: false,
    // The ids of consent pages are sealed requests, and browsers name the page a form is on as its referrer, too.
    routerOptions: { maxParamLength: MAX_SEALED_LENGTH },
    http: { maxHeaderSize: 32 * 1024, headersTimeout: 15_000, connectionsCheckingInterval: 5000 },
    rewriteUrl: request => {
      // Routes name the common methods; PROPFIND, QUERY and the like get the answer that TRACE gets: 405, or 404.
      if (!METHODS.includes(request.method ?? '')) request.method = 'TRACE'
      return routedUrl(request.url ?? '/')
    },
    schemaController,
  })
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/**
 * Fastify would answer undecodable addresses in its own words, before any hook or handler of ours. So they become
 * addresses where nothing is.
 */
function routedUrl(url: string): string {
  if (!url.includes('%')) return url
  try {
    decodeURIComponent(pathOf(url))
    return url
  } catch {
    return url.startsWith('/.well-known/') ? '/.well-known/undecodable' : '/undecodable'
  }
}
