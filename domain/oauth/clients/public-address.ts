import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The only range that IANA has allocated for global unicast (RFC 4291 §2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Azure's host agent: a public-looking address that returns each machine its own private metadata. */
const CLOUD_METADATA = ['168.63.129.16']

/**
 * Whether an IP address is public (RFC 6890). ipaddr.js knows the special ranges, including tunnels into IPv4
 * (mapped, 6to4, Teredo, NAT64). Version 2.5 reports addresses outside its list as unicast, such as the
 * IPv4-compatible `::7f00:1` and unassigned ones; hence the second check.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || CLOUD_METADATA.includes(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6)
}
