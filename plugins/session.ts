import { timingSafeEqual } from 'node:crypto'
import cookie, { type CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Account } from './accounts/account.js'
import { LOGIN_DAYS } from './accounts/login-session.js'
import { DomainError } from './domain-error.js'
import { isFromHere } from './origin.js'
import { hashSecret, mac, newSecret } from './secret.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is signed in. Always null on routes that are not for browsers. */
    account: Account | null
    /** Hash of this browser's own secret: what happens in one browser can be bound to it. Empty where `account` is null by rule. */
    browser: string
    /**
     * Refuses a form that was not made for this browser, this login session and this scope (RULES C1).
     * @throws DomainError 403 `csrf`
     */
    checkCsrf(scope: string, token?: unknown): void
    loginSecret: string
  }
  interface FastifyReply {
    /** The token for a form's field `_csrf`; `scope` says what the form does, by default the path it posts to. */
    csrfToken(scope: string): string
    /** Starts a new login session in this browser; the one before ends. */
    signIn(account: Account): Promise<void>
    signOut(): Promise<void>
  }
}

const DAY_SECONDS = 24 * 60 * 60
/** Chromium keeps no cookie longer. */
const BROWSER_DAYS = 400
const SECRET = /^[0-9A-Za-z]{43}$/

/** Endpoints for programs: they never look at cookies and do not pay for them. */
const FOR_PROGRAMS =
  /^\/(?:mcp|\.well-known|oauth\/(?:token|register|revoke)|token|register|healthz|readyz|metrics|assets)(?:\/|$)/

/**
 * Login sessions and CSRF tokens for everything a browser opens. @fastify/csrf-protection is not used: its check is
 * a hook with one idea of what a form is about, while ours depends on the form, and its salt is Math.random.
 */
export default fp(
  async function sessionPlugin(app: FastifyInstance) {
    await app.register(cookie, { hook: false })
    const secure = app.config.baseUrl.startsWith('https:')
    const name = (what: string) => `${secure ? '__Host-' : ''}${app.config.brand}_${what}`
    const names = { session: name('session'), browser: name('browser') }
    const cookieFor = (days: number): CookieSerializeOptions => ({
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure,
      maxAge: days * DAY_SECONDS,
    })
    const key = app.keyFor('csrf')

    app.decorateRequest('account', null)
    app.decorateRequest('browser', '')
    app.decorateRequest('loginSecret', '')

    app.addHook('onRoute', route => {
      if (FOR_PROGRAMS.test(route.url)) return
      route.onRequest = [loadSession, ...[route.onRequest ?? []].flat()]
    })

    async function loadSession(request: FastifyRequest, reply: FastifyReply) {
      const cookies = app.parseCookie(request.headers.cookie ?? '')
      let browser = cookies[names.browser] ?? ''
      if (!SECRET.test(browser)) {
        browser = newSecret()
        reply.setCookie(names.browser, browser, cookieFor(BROWSER_DAYS))
      }
      request.browser = hashSecret(browser)
      const secret = cookies[names.session] ?? ''
      if (!SECRET.test(secret)) return
      request.account = await app.loginSessions.find(secret)
      if (!request.account) return
      request.loginSecret = secret
      reply.setCookie(names.session, secret, cookieFor(LOGIN_DAYS))
    }

    app.decorateReply('signIn', async function (this: FastifyReply, account: Account) {
      const { request } = this
      if (request.loginSecret) await app.loginSessions.end(request.loginSecret)
      request.loginSecret = await app.loginSessions.begin(account.id)
      request.account = account
      this.setCookie(names.session, request.loginSecret, cookieFor(LOGIN_DAYS))
    })

    app.decorateReply('signOut', async function (this: FastifyReply) {
      const { request } = this
      if (request.loginSecret) await app.loginSessions.end(request.loginSecret)
      request.loginSecret = ''
      request.account = null
      this.clearCookie(names.session, { path: '/', httpOnly: true, sameSite: 'lax', secure })
    })

    const tokenFor = ({ browser, loginSecret }: FastifyRequest, scope: string) =>
      mac(key, JSON.stringify([browser, hashSecret(loginSecret), scope])).toString('base64url')

    app.decorateReply('csrfToken', function (this: FastifyReply, scope: string) {
      return tokenFor(this.request, scope)
    })

    app.decorateRequest('checkCsrf', function (this: FastifyRequest, scope: string, token?: unknown) {
      const given = token ?? (this.body as { _csrf?: unknown } | null | undefined)?._csrf
      if (!isFromHere(this.headers, app.config.baseUrl) || !sameText(given, tokenFor(this, scope))) {
        throw new DomainError(
          403,
          'csrf',
          'This form is out of date. Please go back, reload the page and try again.',
        )
      }
    })
  },
  { name: 'session', dependencies: ['accounts', 'service-key'] },
)

function sameText(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
