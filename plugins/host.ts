import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { DomainError } from '../platform/common/domain-error.js'
import { errorTexts } from '../views/texts/error.js'
import { countHeader } from './count-header.js'

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\]|::1)$/
/** HOST may be any loopback address, 127.0.0.0/8. */
const BOUND_TO_LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/
const HOST = /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/

/**
 * Whether a `Host` header names BASE_URL's host or loopback. In a DNS rebinding attack, a page makes a
 * browser send requests to a name that now resolves to 127.0.0.1, but `Host` still contains that name.
 */
export function isAllowedHost(header: string, base: URL): boolean {
  const [, name, port] = HOST.exec(header) ?? []
  if (!name) return false
  if (LOOPBACK.test(name.toLowerCase())) return true
  const standard = base.protocol === 'https:' ? '443' : '80'
  return name.toLowerCase() === base.hostname && (port ?? standard) === (base.port || standard)
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The error for a request with an invalid `Host` header, or null. */
    hostError(raw: IncomingMessage): DomainError | null
  }
  interface FastifyContextConfig {
    /** Answered for any `Host`: for health checks, which many load balancers send with none or their own. */
    anyHost?: true
  }
}

const TWO_HOSTS = new DomainError(400, 'two_hosts', 'Send exactly one Host header.')

/**
 * Checks the `Host` header first, on every route (RULES P9, P11). Requests with two `Host` headers are
 * rejected (RFC 9112 §3.2). Names are checked only when the service listens on loopback, the target of DNS
 * rebinding. Health checks reveal nothing, so they are answered under every name.
 */
export default fp(
  async function hostPlugin(app: FastifyInstance) {
    const { host, baseUrl } = app.config
    const base = new URL(baseUrl)
    const checksName = BOUND_TO_LOOPBACK.test(host)
    const wrongHost = new DomainError(403, 'wrong_host', errorTexts.sentences.wrongHost(base.host))
    app.decorate('hostError', ({ rawHeaders, headers }: IncomingMessage) => {
      if (countHeader(rawHeaders, 'host') > 1) return TWO_HOSTS
      return checksName && !isAllowedHost(headers.host ?? '', base) ? wrongHost : null
    })
    app.addHook('onRequest', (request, _reply, done) => {
      const error = app.hostError(request.raw)
      const isAnswered = error === null || (error === wrongHost && request.routeOptions.config.anyHost)
      done(isAnswered ? undefined : error)
    })
  },
  { name: 'host', dependencies: ['config', 'errors'] },
)
