import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'

/** Some proxies add the client's port to its address. */
const WITH_PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([\da-fA-F:.]{2,45})\]):\d{1,5}$/

/** Returns a function that reads a request's client address before Fastify does: the later `request.ip`. */
export function clientAddress(trustProxy: readonly string[]): (request: IncomingMessage) => string {
  if (trustProxy.length === 0) return ({ socket }) => socket.remoteAddress ?? ''
  const trust = proxyAddr.compile([...trustProxy])
  return request => proxyAddr(request, trust) ?? ''
}

/**
 * The unit that limits apply to: an IPv4 address or an IPv6 /64, the smallest block that providers assign to
 * a customer. IPv4-mapped IPv6 addresses count as IPv4.
 */
export function addressBlock(text: string): string {
  const [, ipv4, ipv6] = WITH_PORT.exec(text) ?? []
  const address = ipv4 ?? ipv6 ?? text
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1]
  if (mapped) return mapped
  const [head = '', tail = ''] = address.split('::')
  const front = head.split(':').filter(Boolean)
  const back = tail.split(':').filter(Boolean)
  const zeros = address.includes('::') ? Array(8 - front.length - back.length).fill('0') : []
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`
}
