import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Headers of every page (RULES A13). */
    pageHeaders: Readonly<Record<string, string>>
  }
}

/**
 * Omits `form-action`, which Chromium applies to the whole redirect chain, so that Approve would silently do
 * nothing (RULES C6, fastmcp#3369).
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Security headers for pages. Constants instead of @fastify/helmet, whose hooks would run on every request,
 * including those of API clients. The referrer policy is not `no-referrer`, with which Chromium posts forms
 * with `Origin: null`.
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
