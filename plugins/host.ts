import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { countHeader } from '../common/count-header.js'
import { DomainError } from '../common/domain-error.js'

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\]|::1)$/
/** HOST may be any address of this machine's own network, 127.0.0.0/8. */
const BOUND_TO_LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/
const HOST = /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?$/

/**
 * Whether a request's `Host` is an address this service goes by: BASE_URL's, or a loopback name. A page elsewhere can
 * make a browser ask for a name that suddenly means 127.0.0.1 (DNS rebinding), but the name stays in `Host`.
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
    /** Why a request is refused for its `Host` header, or null. */
    hostError(raw: IncomingMessage): DomainError | null
  }
}

const TWO_HOSTS = new DomainError(400, 'two_hosts', 'Send exactly one Host header.')
const WRONG_HOST = new DomainError(403, 'wrong_host', 'This service does not go by that name. See BASE_URL.')

/**
 * Before anything else, on every route (RULES P9, P11). Two `Host` headers are refused (RFC 9112 §3.2); names are
 * looked at only where the service listens on loopback, because nothing else can be rebound to.
 */
export default fp(
  async function hostPlugin(app: FastifyInstance) {
    const { host, baseUrl } = app.config
    const base = new URL(baseUrl)
    const checksName = BOUND_TO_LOOPBACK.test(host)
    app.decorate('hostError', ({ rawHeaders, headers }: IncomingMessage) => {
      if (countHeader(rawHeaders, 'host') > 1) return TWO_HOSTS
      return checksName && !isAllowedHost(headers.host ?? '', base) ? WRONG_HOST : null
    })
    app.addHook('onRequest', (request, _reply, done) => done(app.hostError(request.raw) ?? undefined))
  },
  { name: 'host', dependencies: ['config', 'errors'] },
)
