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

declare module 'fastify' {
  interface FastifyInstance {
    /** The account that has signed in with a request's browser before, by the cookie that proves it. */
    knownAccountOf(raw: IncomingMessage): string | null
  }
  interface FastifyRequest {
    /** Who is signed in. Always null on routes that are not for browsers. */
    account: Account | null
    /** Hash of this browser's own secret: what happens in one browser can be bound to it. Empty where `account` is null by rule. */
    browser: string
    /**
     * All that this browser goes by, `browser` first. Pages that it opened at the same moment, before it had a cookie,
     * gave it one each (RULES C2).
     */
    browsers: readonly string[]
    /**
     * Refuses a form that was not made for this browser, this login session and this scope (RULES C1).
     * @throws DomainError 403 `csrf`
     */
    checkCsrf(scope: string, token?: unknown): void
    loginSecret: string
    /** The account that has signed in with this browser before, also when nobody is signed in now. It proves nothing else. */
    knownAccountId: string | null
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
const SECRET = /^[0-9A-Za-z]{43}$/
/** More than this many pages are not opened at the same moment. */
const MOST_BROWSER_COOKIES = 8
/** The form that people sign in by: in a second tab it works after the first one signed in (RULES C2). */
const SIGN_IN = '/login'

/** Endpoints for programs: they never look at cookies and do not pay for them. */
const FOR_PROGRAMS =
  /^\/(?:mcp|\.well-known|oauth\/(?:token|register|revoke)|token|register|healthz|readyz|metrics|assets)(?:\/|$)/

/**
 * Login sessions and CSRF tokens for everything a browser opens. @fastify/csrf-protection is not used: its check is
 * a hook with one idea of what a form is about, while ours depends on the form, and its salt is Math.random.
 */
export default fp(
  async function sessionPlugin(app: FastifyInstance, { clock }: { clock: Clock }) {
    await app.register(cookie, { hook: false })
    const secure = app.config.baseUrl.startsWith('https:')
    const name = (what: string) => `${secure ? '__Host-' : ''}${app.config.brand}_${what}`
    const names = { session: name('session'), browser: name('browser'), device: name('device') }
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
      // Asked for every request, so that the other cookies are not parsed for it.
      const [, value = ''] = `; ${headers.cookie ?? ''}`.split(`; ${names.device}=`, 2)
      return value === '' ? null : readDevice(deviceKey, value.split(';', 1)[0], clock())
    })
    app.decorateRequest('account', null)
    app.decorateRequest('browser', '')
    app.decorateRequest('browsers')
    app.decorateRequest('loginSecret', '')
    app.decorateRequest('knownAccountId', null)

    app.addHook('onRoute', route => {
      if (FOR_PROGRAMS.test(route.url)) return
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
      request.loginSecret = await app.loginSessions.begin(account.id)
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
      const session = scope === SIGN_IN ? '' : hashSecret(loginSecret)
      return mac(key, JSON.stringify([browser, session, scope])).toString('base64url')
    }

    app.decorateReply('csrfToken', function (this: FastifyReply, scope: string) {
      return tokenFor(this.request, this.request.browser, scope)
    })

    app.decorateRequest('checkCsrf', function (this: FastifyRequest, scope: string, token?: unknown) {
      const given = token ?? (this.body as { _csrf?: unknown } | null | undefined)?._csrf
      const isOurs = (browser: string) => sameText(given, tokenFor(this, browser, scope))
      if (!isSameOrigin(this.headers, app.config.baseUrl) || !this.browsers.some(isOurs)) {
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

/** What the cookies of this name hold, and of those with a suffix: each page that found none set one of its own. */
function browserSecrets(cookies: Record<string, string | undefined>, name: string): string[] {
  return Object.keys(cookies)
    .filter(key => key === name || (key.startsWith(`${name}_`) && key.length === name.length + 9))
    .sort()
    .flatMap(key => cookies[key] ?? [])
    .filter(secret => SECRET.test(secret))
    .slice(0, MOST_BROWSER_COOKIES)
}

function sameText(given: unknown, expected: string): boolean {
  if (typeof given !== 'string') return false
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
