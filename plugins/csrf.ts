import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { DomainError } from '../platform/common/domain-error.js'
import { hashSecret, mac } from '../platform/common/secrets.js'
import { errorTexts } from '../views/texts/error.js'
import { isSameOrigin } from './same-origin.js'

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Rejects forms that were not issued to this browser, login session and scope (RULES C1).
     * @throws DomainError 403 `csrf`
     */
    checkCsrf(scope: string, token?: unknown): void
  }
  interface FastifyReply {
    /** The token for the form field `_csrf`; `scope` identifies the form, usually by the path it posts to. */
    csrfToken(scope: string): string
  }
}

/**
 * Scope of the sign-in form. Its token is not bound to a session, so that it still works after signing in
 * from another tab (RULES C2).
 */
const SIGN_IN_SCOPE = '/login'

/**
 * CSRF tokens for browser routes. @fastify/csrf-protection does not fit: its tokens are not bound to the individual
 * form, and it salts them with Math.random.
 */
export default fp(
  async function csrfPlugin(app: FastifyInstance) {
    const key = app.keyFor('csrf')
    const tokenFor = ({ loginSecret }: FastifyRequest, browser: string, scope: string) => {
      const session = scope === SIGN_IN_SCOPE ? '' : hashSecret(loginSecret)
      return mac(key, JSON.stringify([browser, session, scope])).toString('base64url')
    }

    app.decorateReply('csrfToken', function (this: FastifyReply, scope: string) {
      return tokenFor(this.request, this.request.browser, scope)
    })

    app.decorateRequest('checkCsrf', function (this: FastifyRequest, scope: string, token?: unknown) {
      const sent = token ?? (this.body as { _csrf?: unknown } | null | undefined)?._csrf
      const isValid = (browser: string) => isEqual(sent, tokenFor(this, browser, scope))
      if (!isSameOrigin(this.headers, app.config.baseUrl) || !this.browsers.some(isValid)) {
        throw new DomainError(403, 'csrf', errorTexts.sentences.staleForm)
      }
    })
  },
  { name: 'csrf', dependencies: ['session'] },
)

/** Compares in constant time. */
function isEqual(actual: unknown, expected: string): boolean {
  if (typeof actual !== 'string') return false
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
