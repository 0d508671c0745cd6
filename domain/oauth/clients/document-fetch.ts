import { Resolver } from 'node:dns/promises'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import { version } from '../../../platform/common/package.js'
import { DocumentError } from './client-document.js'
import { isPublicAddress } from './public-address.js'

const MAX_BYTES = 5 * 1024
const MAX_HEADER_BYTES = 8 * 1024
const defaultDeadline = () => AbortSignal.timeout(5000)
/** Try at most this many addresses of a host, so that the service cannot be used to scan others. */
const MAX_ADDRESSES = 4
const JSON_TYPE = /^application\/(?:[\w!#$&^.-]+\+)?json\s*(?:;|$)/i

export interface FetchedDocument {
  json: unknown
  /** Freshness lifetime from the headers (RFC 9111 §4.2). Null if they have none. */
  freshForSeconds: number | null
}

/** Fetches the document at a URL that `documentIdProblem` accepts. @throws DocumentError */
export type FetchDocument = (id: string) => Promise<FetchedDocument>

/** Options for tests, which run their own DNS and https servers on loopback. */
interface FetchOptions {
  /** DNS servers as `address:port`. Default: those of the system. */
  dnsServers?: readonly string[]
  /** Whether an address may be connected to. Default: public addresses only. */
  isAllowed?: (address: string) => boolean
  /** Certificate authority as PEM. Default: the well-known authorities. */
  ca?: string
  /** Ends a fetch. Default: after five seconds. */
  deadline?: () => AbortSignal
}

/**
 * The only outgoing request whose target comes from untrusted input, so (RULES D2, draft
 * §8.6): the host is resolved once, every address must be public, the connection goes to one of these
 * addresses, the certificate must match the host, redirects are not followed, bodies are not decompressed,
 * and there is a deadline.
 */
export function createFetchDocument(options: FetchOptions = {}): FetchDocument {
  const { dnsServers, isAllowed = isPublicAddress, ca, deadline: start = defaultDeadline } = options
  return async id => {
    const url = new URL(id)
    const deadline = start()
    try {
      const addresses = await resolve(url.hostname, deadline, dnsServers)
      const blocked = addresses.find(address => !isAllowed(address))
      if (blocked) throw new Error(`${url.hostname} resolves to ${blocked}, which is not a public address`)
      return await get(url, addresses, deadline, ca)
    } catch (error) {
      if (error instanceof DocumentError) throw error
      // The same text for every reason, so that errors reveal nothing about our network.
      const problem = deadline.aborted ? 'takes too long to answer' : 'cannot be reached'
      throw new DocumentError(problem, { reason: `${problem}: ${(error as Error).message}` })
    }
  }
}

/**
 * Resolves all addresses of a host. Queries DNS directly: `lookup` would also read /etc/hosts, and a slow
 * name server could block one of the four threads that also hash passwords.
 */
async function resolve(host: string, deadline: AbortSignal, servers?: readonly string[]): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (servers) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  deadline.addEventListener('abort', cancel, { once: true })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  deadline.removeEventListener('abort', cancel)
  const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length === 0) {
    const codes = answers.map(answer => (answer.status === 'rejected' ? answer.reason.code : 'none'))
    throw new Error(`${host} has no address (${codes})`)
  }
  return addresses
}

function get(
  url: URL,
  addresses: readonly string[],
  signal: AbortSignal,
  ca?: string,
): Promise<FetchedDocument> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(url, {
      agent: false,
      headers: {
        Accept: 'application/json',
        'Accept-Encoding': 'identity',
        'User-Agent': `svc/${version}`,
      },
      lookup: pinnedTo(addresses),
      maxHeaderSize: MAX_HEADER_BYTES,
      rejectUnauthorized: true,
      signal,
      ...(ca ? { ca } : {}),
    })
    const closed = () => reject(new Error('the connection was closed'))
    request.on('error', reject)
    request.on('close', closed)
    request.on('response', response => {
      request.off('close', closed)
      read(response)
        .then(resolve, reject)
        .finally(() => request.destroy())
    })
    request.end()
  })
}

/** A lookup function that returns only the checked addresses, so that a second look-up cannot change them. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.slice(0, MAX_ADDRESSES).map(address => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_host, options, callback) => {
    if (options.all) callback(null, all)
    else callback(null, all[0]?.address ?? '', all[0]?.family)
  }
}

async function read(response: IncomingMessage): Promise<FetchedDocument> {
  const problem = headProblem(response)
  if (problem) throw new DocumentError(problem)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new DocumentError('is larger than 5 KiB')
    chunks.push(chunk)
  }
  return { json: parse(Buffer.concat(chunks)), freshForSeconds: freshForSeconds(response.headers) }
}

function headProblem({ statusCode, headers }: IncomingMessage): string | null {
  if (statusCode !== 200) return `responds with status ${statusCode} instead of 200`
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) return 'does not respond with application/json'
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') return 'sends a compressed response'
  if (Number(headers['content-length'] ?? 0) > MAX_BYTES) return 'is larger than 5 KiB'
  return null
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new DocumentError('does not contain valid JSON')
  }
}

/** The freshness lifetime for a shared cache (RFC 9111 §4.2.1). */
export function freshForSeconds(headers: IncomingHttpHeaders): number | null {
  const directives = (headers['cache-control'] ?? '').toLowerCase()
  if (/(?:^|[\s,])no-(?:store|cache)(?:[\s,=]|$)/.test(directives)) return 0
  const [, seconds] =
    /(?:^|[\s,])s-maxage="?(\d+)/.exec(directives) ?? /(?:^|[\s,])max-age="?(\d+)/.exec(directives) ?? []
  if (seconds !== undefined) return Math.max(0, Number(seconds) - (Number(headers.age) || 0))
  if (headers.expires === undefined) return null
  const left = (Date.parse(headers.expires) - Date.parse(headers.date ?? '')) / 1000
  return left > 0 ? left : 0
}
