import type { IncomingHttpHeaders } from 'node:http'

/** Whether an origin is on the visitor's own machine, e.g. the MCP Inspector's. */
export function isLoopbackOrigin(origin: string): boolean {
  return /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/.test(origin)
}

/**
 * Whether a form was posted by one of our own pages, as far as the browser tells (RULES C1). Somebody who runs the
 * service on their own machine may open it under any loopback name. `Origin: null` comes from our own pages, too,
 * where the browser withholds the origin; then `Sec-Fetch-Site` has to vouch for it.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin === undefined || origin === baseUrl) return true
  if (origin === 'null') return site === 'same-origin'
  return isLoopbackOrigin(origin) && isLoopbackOrigin(baseUrl) && origin === `http://${host}`
}
