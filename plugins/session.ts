import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import cookie, { type CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Account } from '../accounts/account.js'
import { DEVICE_DAYS, readDevice, signDevice } from '../accounts/known-device.js'
import { LOGIN_DAYS } from '../accounts/login-session.js'
import type { Clock } from '../common/clock.js'
import { DomainError } from '../common/domain-error.js'
import { isSameOrigin } from '../common/origin.js'
import { hashSecret, mac, newSecret } from '../common/secrets.js'
import { messages } from '../messages.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The account that has signed in with this browser before, read from a signed cookie. */
    knownAccountOf(raw: IncomingMessage): string | null
  }
  interface FastifyRequest {
    /** The signed-in account. Always null on routes for API clients. */
    account: Account | null
    /** Hash of this browser's secret, for binding state to the browser. Empty on routes for API clients. */
    browser: string
    /**
     * All secrets of this browser, hashed, `browser` first. A browser that opens several pages at once before
     * it has a cookie receives one from each (RULES C2).
     */
    browsers: readonly string[]
    /**
     * Rejects forms that were not issued to this browser, login session and scope (RULES C1).
     * @throws DomainError 403 `csrf`
     */
    checkCsrf(scope: string, token?: unknown): void
    loginSecret: string
    /** The account that has signed in with this browser before, even if signed out now. Grants no access. */
    knownAccountId: string | null
  }
  interface FastifyReply {
    /** The token for the form field `_csrf`; `scope` identifies the form, usually by the path it posts to. */
    csrfToken(scope: string): string
    /** Starts a new login session in this browser and ends the previous one. */
    signIn(account: Account): Promise<void>
    signOut(): Promise<void>
  }
}

const DAY_SECONDS = 24 * 60 * 60
const SECRET = /^[0-9A-Za-z]{43}$/
/** Limit for the pages that one browser may open at once before it has a cookie. */
const MAX_BROWSER_COOKIES = 8
/**
 * Scope of the sign-in form. Its token is not bound to a session, so that it still works after signing in
 * from another tab (RULES C2).
 */
const SIGN_IN_SCOPE = '/login'

/** Routes for API clients, which skip cookie parsing. */
const API_ROUTES =
  /^\/(?:mcp|api|\.well-known|oauth\/(?:token|register|revoke)|token|register|healthz|readyz|metrics|assets)(?:\/|$)/

/**
 * Login sessions and CSRF tokens for browser routes. @fastify/csrf-protection does not fit: its tokens are
 * not bound to the individual form, and it salts them with Math.random.
 */
export default fp(
  async function sessionPlugin(app: FastifyInstance, { clock }: { clock: Clock }) {
    await app.register(cookie, { hook: false })
    const secure = app.config.baseUrl.startsWith('https:')
    const cookieName = (suffix: string) => `${secure ? '__Host-' : ''}${app.config.brand}_${suffix}`
    const names = {
      session: cookieName('session'),
      browser: cookieName('browser'),
      device: cookieName('device'),
    }
    const cookieFor = (days: number): CookieSerializeOptions => ({
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure,
      maxAge: days * DAY_SECONDS,
    })
    const key = app.keyFor('csrf')
    const deviceKey = app.keyFor('device')

    app.decorate('knownAccountOf', ({ headers }: IncomingMessage) => {
      // Called for every request, so it does not parse the other cookies.
      const [, value = ''] = `; ${headers.cookie ?? ''}`.split(`; ${names.device}=`, 2)
      return value === '' ? null : readDevice(deviceKey, value.split(';', 1)[0], clock())
    })
    app.decorateRequest('account', null)
    app.decorateRequest('browser', '')
    app.decorateRequest('browsers')
    app.decorateRequest('loginSecret', '')
    app.decorateRequest('knownAccountId', null)

    app.addHook('onRoute', route => {
      if (API_ROUTES.test(route.url)) return
      route.onRequest = [loadSession, ...[route.onRequest ?? []].flat()]
    })

    async function loadSession(request: FastifyRequest, reply: FastifyReply) {
      const cookies = app.parseCookie(request.headers.cookie ?? '')
      const browsers = browserSecrets(cookies, names.browser)
      if (browsers.length === 0) {
        const secret = newSecret()
        browsers.push(secret)
        reply.setCookie(`${names.browser}_${newSecret().slice(0, 8)}`, secret, cookieFor(DEVICE_DAYS))
      }
      request.browsers = browsers.map(hashSecret)
      request.browser = request.browsers[0] ?? ''
      request.knownAccountId = app.knownAccountOf(request.raw)
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
      const userAgent = request.headers['user-agent'] ?? null
      request.loginSecret = await app.loginSessions.begin(account.id, { userAgent, address: request.ip })
      request.account = account
      this.setCookie(names.session, request.loginSecret, cookieFor(LOGIN_DAYS))
      this.setCookie(names.device, signDevice(deviceKey, account.id, clock()), cookieFor(DEVICE_DAYS))
    })

    app.decorateReply('signOut', async function (this: FastifyReply) {
      const { request } = this
      if (request.loginSecret) await app.loginSessions.end(request.loginSecret)
      request.loginSecret = ''
      request.account = null
      this.clearCookie(names.session, { path: '/', httpOnly: true, sameSite: 'lax', secure })
    })

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
        throw new DomainError(403, 'csrf', messages.error.sentences.staleForm)
      }
    })
  },
  { name: 'session', dependencies: ['accounts', 'service-key'] },
)

/**
 * Secrets from the cookies with this name, with or without a suffix: each page opened without a cookie sets
 * its own.
 */
function browserSecrets(cookies: Record<string, string | undefined>, name: string): string[] {
  return Object.keys(cookies)
    .filter(key => key === name || (key.startsWith(`${name}_`) && key.length === name.length + 9))
    .sort()
    .flatMap(key => cookies[key] ?? [])
    .filter(secret => SECRET.test(secret))
    .slice(0, MAX_BROWSER_COOKIES)
}

/** Compares in constant time. */
function isEqual(actual: unknown, expected: string): boolean {
  if (typeof actual !== 'string') return false
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
