import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import accounts from './plugins/accounts/index.js'
import type { Clock } from './plugins/clock.js'
import config, { type Config } from './plugins/config.js'
import database from './plugins/database.js'
import oauth from './plugins/oauth/index.js'
import { pathOf } from './plugins/path.js'
import redis from './plugins/redis.js'
import safes from './plugins/safes/index.js'
import serviceKey from './plugins/service-key.js'

export interface AppOptions {
  config: Config
  logger?: FastifyServerOptions['logger']
  /** Default: the system's. */
  clock?: Clock
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
  await app.register(accounts, { clock })
  await app.register(safes, { clock })
  await app.register(oauth, { clock })
  return app
}

function fastify({ config, logger = false }: AppOptions): FastifyInstance {
  return Fastify({
    logger,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    bodyLimit: 1024 * 1024,
    // Long enough for the largest upload (512 MiB) over a slow line; headers have Node's own minute.
    requestTimeout: 600_000,
    requestIdHeader: false,
    rewriteUrl: ({ url = '/' }) => (isDecodable(url) ? url : NOWHERE),
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
  })
}

/** Where requests for addresses like `/%zz` end: with the 404 of every other address that is none. */
const NOWHERE = '/undecodable-address'

/** Fastify would answer undecodable addresses in its own words, before any hook or handler of ours. */
function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true
  try {
    decodeURIComponent(pathOf(url))
    return true
  } catch {
    return false
  }
}
