import { isIP } from 'node:net'
import { Type } from '@sinclair/typebox'
import { type Check, list, text, type ValuesOf } from './setting.js'

/** Where the service listens, and how browsers and proxies reach it. */
export const ADDRESS_SETTINGS = {
  BASE_URL: text({
    description: 'Public address of the service, without a trailing slash. Default: http://localhost:PORT.',
    expected: 'an http(s) origin such as https://safes.example.com, with no path, query or fragment',
  }),
  HOST: text({ description: 'Address to listen on.', expected: 'a host name or an IP address' }, '127.0.0.1'),
  PORT: Type.Integer({
    default: 3000,
    minimum: 1,
    maximum: 65535,
    description: 'Port to listen on.',
    expected: 'a port number from 1 to 65535',
  }),
  TRUST_PROXY: text({
    description: 'Proxies whose X-Forwarded-For counts, for rate limits.',
    expected: 'IP addresses, CIDR ranges, loopback, linklocal or uniquelocal, separated by commas',
  }),
}

export interface AddressConfig {
  /** Origin without a trailing slash; all published URLs start with it (RULES M1, M4). */
  baseUrl: string
  host: string
  port: number
  trustProxy: readonly string[]
}

/** Reads the settings of this topic. */
export function readAddress(
  settings: ValuesOf<typeof ADDRESS_SETTINGS>,
  check: Check<typeof ADDRESS_SETTINGS>,
): AddressConfig {
  // Browsers send no port 80 (RFC 6454 §6.2).
  const port = settings.PORT === 80 ? '' : `:${settings.PORT}`
  const baseUrl = settings.BASE_URL || `http://localhost${port}`
  const trustProxy = list(settings.TRUST_PROXY)
  check('BASE_URL', isOrigin(baseUrl))
  check('TRUST_PROXY', trustProxy.every(isProxyRange))
  return { baseUrl, host: settings.HOST, port: settings.PORT, trustProxy }
}

/** Whether a text is an http(s) origin exactly as browsers send it. */
export function isOrigin(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) && new URL(value).origin === value
}

/** Whether `@fastify/proxy-addr` accepts it as a range; that package would also accept `1` as an address. */
function isProxyRange(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
