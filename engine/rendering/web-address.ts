import { decodedUri } from '../../platform/common/decoded-uri.js'
import { plainAddress } from '../../platform/common/plain-address.js'

const SCHEME = /^[a-z][a-z0-9+.-]*:/i

/** An address that a page may link to (http, https, mailto), or null. */
export function webAddress(href: string): string | null {
  const address = href.startsWith('//') ? `https:${href}` : href
  if (!SCHEME.test(address) || !URL.canParse(address)) return null
  const { protocol } = new URL(address)
  return protocol === 'http:' || protocol === 'https:' || protocol === 'mailto:' ? address : null
}

/** A link inside: a path, perhaps with a `#heading`; null for an address of any other kind. */
export function innerTarget(href: string): { target: string; heading: string } | null {
  const address = plainAddress(/^(?:\{|%7B)/i.test(href) ? decodedUri(href) : href)
  if (SCHEME.test(address) || address.startsWith('//')) return null
  const at = address.indexOf('#')
  const [target, heading] = at === -1 ? [address, ''] : [address.slice(0, at), address.slice(at + 1)]
  return { target: decodedUri(target), heading: decodedUri(heading) }
}
