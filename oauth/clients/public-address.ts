import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** All that IANA has given out for global use so far (RFC 4291 §2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Azure's host agent: looks public, and answers every machine there with what is that machine's own. */
const CLOUD_METADATA = ['168.63.129.16']

/**
 * Whether an IP address is one that anybody on the internet could mean (RFC 6890): ipaddr.js knows the special ranges,
 * tunnels into IPv4 (mapped, 6to4, Teredo, NAT64) among them. Its 2.5 takes for unicast what is in no range of its
 * list: IPv4-compatible `::7f00:1` and all that is not assigned; hence the second test.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || CLOUD_METADATA.includes(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6)
}
