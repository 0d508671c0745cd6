import type { IncomingHttpHeaders } from 'node:http'
import { isLoopbackOrigin } from '../platform/common/origin.js'

/**
 * Whether a form was posted by one of our own pages, according to the browser's headers (RULES C1). A service
 * on loopback may be opened under any loopback name. Browsers may send `Origin: null` for our own pages; then
 * `Sec-Fetch-Site` must be `same-origin`.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
  if (origin === undefined || origin === baseUrl) return true
  if (origin === 'null') return site === 'same-origin'
  return isLoopbackOrigin(origin) && isLoopbackOrigin(baseUrl) && origin === `http://${host}`
}
