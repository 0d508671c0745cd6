import type { IncomingMessage } from 'node:http'
import cookies, { type CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Account } from '../domain/accounts/account.js'
import { DEVICE_DAYS, readDevice, signDevice } from '../domain/accounts/known-device.js'
import { LOGIN_DAYS } from '../domain/accounts/login-session.js'
import type { Clock } from '../platform/common/clock.js'
import { hashSecret, newSecret } from '../platform/common/secrets.js'
import type { Config } from './config.js'

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
    loginSecret: string
    /** The account that has signed in with this browser before, even if signed out now. Grants no access. */
    knownAccountId: string | null
  }
  interface FastifyReply {
    /** Starts a new login session in this browser and ends the previous one. */
    signIn(account: Account): Promise<void>
    signOut(): Promise<void>
  }
}

const DAY_SECONDS = 24 * 60 * 60
const SECRET = /^[0-9A-Za-z]{43}$/
/** Limit for the pages that one browser may open at once before it has a cookie. */
const MAX_BROWSER_COOKIES = 8

/** Routes for API clients, which skip cookie parsing. */
const API_ROUTES =
  /^\/(?:mcp|api|\.well-known|oauth\/(?:token|register|revoke)|token|register|healthz|readyz|metrics|assets)(?:\/|$)/

/** Login sessions and browser secrets, for browser routes. */
export default fp(
  async function sessionPlugin(app: FastifyInstance, { clock }: { clock: Clock }) {
    await app.register(cookies, { hook: false })
    const { names, cookie, cookieFor } = cookiesOf(app.config)
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
      const sent = app.parseCookie(request.headers.cookie ?? '')
      const browsers = browserSecrets(sent, names.browser)
      if (browsers.length === 0) {
        const secret = newSecret()
        browsers.push(secret)
        reply.setCookie(`${names.browser}_${newSecret().slice(0, 8)}`, secret, cookieFor(DEVICE_DAYS))
      }
      request.browsers = browsers.map(hashSecret)
      request.browser = request.browsers[0] ?? ''
      request.knownAccountId = app.knownAccountOf(request.raw)
      const secret = sent[names.session] ?? ''
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
      this.clearCookie(names.session, cookie)
    })
  },
  { name: 'session', dependencies: ['accounts', 'service-key'] },
)

/** The names of cookies, and how they are set. */
function cookiesOf({ baseUrl, brand }: Config) {
  const secure = baseUrl.startsWith('https:')
  const nameOf = (suffix: string) => `${secure ? '__Host-' : ''}${brand}_${suffix}`
  const cookie: CookieSerializeOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure }
  return {
    names: { session: nameOf('session'), browser: nameOf('browser'), device: nameOf('device') },
    cookie,
    cookieFor: (days: number) => ({ ...cookie, maxAge: days * DAY_SECONDS }),
  }
}

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
