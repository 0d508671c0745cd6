import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** What every page is sent with (RULES A13). */
    pageHeaders: Readonly<Record<string, string>>
  }
}

/**
 * No `form-action`: Chromium applies it to the whole redirect chain, so that Approve would silently do nothing
 * (RULES C6, fastmcp#3369). No `no-referrer`: under it Chromium posts forms with `Origin: null`.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The headers of pages. Constants rather than @fastify/helmet, whose hooks run on every request: programs on the
 * hot paths would pay for what only pages need.
 */
export default fp(
  async function securityHeadersPlugin(app: FastifyInstance) {
    const https = app.config.baseUrl.startsWith('https:')
    app.decorate('pageHeaders', {
      'Cache-Control': 'no-store',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      ...(https ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
    })
  },
  { name: 'security-headers', dependencies: ['config'] },
)
