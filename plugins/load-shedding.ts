import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { addressBlock, clientAddress } from '../platform/common/client-address.js'
import type { DomainError } from '../platform/common/domain-error.js'
import { rejections } from '../platform/common/events.js'
import { Unavailable } from '../platform/common/unavailable.js'
import { bearerToken } from '../platform/limits/bearer-token.js'

type Rejection = DomainError | Unavailable

/** The decision on a request, made before any work is done for it. */
interface LoadDecision {
  /**
   * The connection that the request's token was verified for earlier. Such a request has been counted against
   * its rate limit.
   */
  connectionId: string | null
  rejection: Rejection | null
}

/** A complete HTTP response, built before the request that it answers. */
export interface RawResponse {
  status: number
  /** Names and values, alternating. */
  headers: string[]
  body: string
}

declare module 'node:http' {
  interface IncomingMessage {
    admission?: LoadDecision
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Sends rejections of requests at `path` or below that carry a token without passing them to Fastify,
     * which saves two thirds of the work. `formOf` names the form of response that a request expects, one of
     * a few, so that `responseTo` is called once for each.
     */
    rejectBeforeRouting<Form extends string>(
      path: string,
      formOf: (headers: IncomingHttpHeaders) => Form,
      responseTo: (rejection: Rejection, form: Form) => RawResponse,
    ): void
  }
  interface FastifyContextConfig {
    /** Also answered during overload: for health checks. */
    exemptFromShedding?: true
  }
}

/** Shared by all rejections: creating an error costs more than rejecting a request. */
const OVERLOADED = new Unavailable('more requests than this process can answer')

/** The rate limiter counts its own rejections. */
const SHED = { reason: 'overload' } as const
const count = (rejection: Rejection) => rejection === OVERLOADED && rejections.publish(SHED)

/** Longer than any token; longer values are not looked up. */
const MAX_TOKEN_LENGTH = 200

/** The bearer token, or an empty string. */
function tokenOf({ headers }: IncomingMessage): string {
  const token = bearerToken(headers.authorization) ?? ''
  return token.length < MAX_TOKEN_LENGTH ? token : ''
}

/**
 * Rejects requests after the Host check and before any other work: over the rate limit with 429, during
 * overload with 503 (docs/decisions/0019; RULES P11). Rejections are sent at the end of the event loop's
 * turn. Sent at once, they would make their senders retry within the same turn, which lasts while 1024
 * sockets are ready (libuv's uv__io_poll); until it ends no timer fires and nothing is sent to Redis.
 */
export default fp(
  async function loadSheddingPlugin(app: FastifyInstance) {
    const { rateLimiter } = app
    const addressOf = clientAddress(app.config.trustProxy)

    /**
     * Identifies the sender by its connection once one of its tokens was verified, or by its account if the
     * browser has signed in before. Any other value could be made up for each request, so otherwise the
     * sender is the address.
     */
    function admit(raw: IncomingMessage): LoadDecision {
      const connectionId = rateLimiter.connectionOf(tokenOf(raw))
      const tooMany = connectionId === null ? null : rateLimiter.take(connectionId)
      if (tooMany) return { connectionId, rejection: tooMany }
      const verified = connectionId ?? app.knownAccountOf(raw)
      const isShed = app.shouldShed(verified ?? addressBlock(addressOf(raw)), verified !== null)
      return { connectionId, rejection: isShed ? OVERLOADED : null }
    }

    app.addHook('onRequest', (request, reply, done) => {
      const { raw } = request
      raw.admission ??= admit(raw)
      const { rejection } = raw.admission
      if (!rejection) return done()
      const { crossOrigin, exemptFromShedding } = request.routeOptions.config
      if (exemptFromShedding && rejection === OVERLOADED) return done()
      count(rejection)
      if (crossOrigin) reply.headers(crossOrigin)
      // A log line per rejection would cost more than the rejection.
      request.log.level = 'silent'
      setImmediate(done, rejection)
    })

    app.decorate('rejectBeforeRouting', (path, formOf, responseTo) => {
      const prepared = new Map<string, Map<Rejection, RawResponse>>()
      const pending: [ServerResponse, RawResponse][] = []
      const [passOn] = app.server.listeners('request') as [RequestListener]
      app.server.removeAllListeners('request').on('request', (raw, response) => {
        // During shutdown Fastify adds `Connection: close` (plugins/shutdown.ts).
        if (app.stopping || !raw.url?.startsWith(path) || !tokenOf(raw)) return passOn(raw, response)
        if (app.hostError(raw)) return passOn(raw, response)
        raw.admission = admit(raw)
        const { rejection } = raw.admission
        if (!rejection) return passOn(raw, response)
        count(rejection)
        const form = formOf(raw.headers)
        const responses = prepared.get(form) ?? new Map<Rejection, RawResponse>()
        const rejected = responses.get(rejection) ?? responseTo(rejection, form)
        prepared.set(form, responses.set(rejection, rejected))
        if (pending.push([response, rejected]) === 1) setImmediate(sendPending)
      })

      function sendPending() {
        for (const [response, { status, headers, body }] of pending.splice(0))
          response.writeHead(status, headers).end(body)
      }
    })
  },
  {
    name: 'load-shedding',
    dependencies: ['rate-limits', 'errors', 'host', 'overload-detector', 'session', 'shutdown'],
  },
)
