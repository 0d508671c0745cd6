import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { ScryptCost } from './domain/accounts/password.js'
import { createFetchDocument, type FetchDocument } from './domain/oauth/clients/document-fetch.js'
import type { FileReaders } from './domain/safes/imports/file-readers.js'
import type { Clock } from './platform/common/clock.js'
import { pathOf } from './platform/common/path.js'
import { MAX_SEALED_LENGTH } from './platform/common/seal.js'
import accounts from './plugins/accounts.js'
import activity from './plugins/activity.js'
import config, { type Config } from './plugins/config.js'
import database from './plugins/database.js'
import { CompletionLogController } from './plugins/logger.js'
import oauth from './plugins/oauth.js'
import proposals from './plugins/proposals.js'
import redis from './plugins/redis.js'
import restore from './plugins/restore/restore.js'
import safes from './plugins/safes.js'
import serviceKey from './plugins/service-key.js'
import { schemaController } from './routes/schema-check.js'

export interface AppOptions {
  config: Config
  logger?: FastifyServerOptions['logger']
  /** Default: the system clock. */
  clock?: Clock
  /** The cost of hashing a password. Default: OWASP's recommendation. */
  passwordCost?: ScryptCost
  /** Fetches client metadata documents (RULES D2). */
  fetchDocument?: FetchDocument
  /** Reads files that are imported. Default: processes that end with the service. */
  readers?: FileReaders
  /** Until it resolves, a stopping service accepts connections and tells clients to leave. Default: at once. */
  stopGrace?: () => Promise<unknown>
  /** Ends the process so that it starts again, to restore a backup. Default: nothing happens. */
  startAgain?: () => void
  /** Measures how long requests wait before they are read, in milliseconds. Default: `performance.now`. */
  overloadClock?: Clock
}

/**
 * Builds the domains without HTTP, for `app.ts` and the command line. Only one server may open a data folder;
 * the command line may use it at the same time.
 */
export async function buildDomains(options: AppOptions, role: 'server' | 'cli'): Promise<FastifyInstance> {
  const app = fastify(options)
  const clock = options.clock ?? Date.now
  await app.register(config, { config: options.config })
  if (role === 'server') await app.register(restore)
  await app.register(database, { role })
  await app.register(redis)
  await app.register(serviceKey)
  await app.register(activity, { clock })
  await app.register(accounts, { clock, passwordCost: options.passwordCost })
  await app.register(safes, { clock, readers: options.readers })
  await app.register(proposals, { clock })
  await app.register(oauth, { clock, fetchDocument: options.fetchDocument ?? createFetchDocument() })
  return app
}

function fastify({ config, logger = false }: AppOptions): FastifyInstance {
  return Fastify({
    logger,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    // The update of a large database, with a backup before it, takes as long as it takes.
    pluginTimeout: 0,
    bodyLimit: 1024 * 1024,
    // Allows the largest upload (512 MiB) over a slow connection; other bodies are limited by
    // plugins/body-deadline.ts.
    requestTimeout: 600_000,
    requestIdHeader: false,
    logController: new CompletionLogController(),
    // Requests that arrive during shutdown are answered (plugins/shutdown.ts).
    return503OnClosing: false,
    // The ids of consent pages are sealed requests, which are long. Browsers also send them as referrers.
    routerOptions: { maxParamLength: MAX_SEALED_LENGTH },
    http: { maxHeaderSize: 32 * 1024, headersTimeout: 15_000, connectionsCheckingInterval: 5000 },
    rewriteUrl: request => {
      // Routes handle the common methods only. Others, such as PROPFIND or QUERY, are answered like TRACE:
      // 405 or 404.
      if (!METHODS.includes(request.method ?? '')) request.method = 'TRACE'
      return routedUrl(withoutOrigin(request.url ?? '/'))
    },
    schemaController,
  })
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Proxies may send the whole URL (RFC 9112 §3.2.2). Its origin is ignored, because the rest may become a redirect. */
function withoutOrigin(target: string): string {
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  return path.startsWith('/') || path === '*' ? path : `/${path}`
}

/**
 * Rewrites undecodable URLs to a path without a route, because Fastify would answer them itself, before any
 * of our hooks and handlers.
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
