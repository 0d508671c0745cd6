import { Resolver } from 'node:dns/promises'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import { version } from '../../common/package.js'
import { DocumentError } from './client-document.js'
import { isPublicAddress } from './public-address.js'

const MAX_BYTES = 5 * 1024
const MAX_HEADER_BYTES = 8 * 1024
const DEADLINE_MS = 5000
/** Of a name's addresses; nobody makes us knock at hundreds of doors. */
const MOST_TRIED = 4
const JSON_TYPE = /^application\/(?:[\w!#$&^.-]+\+)?json\s*(?:;|$)/i

export interface FetchedDocument {
  json: unknown
  /** What its headers allow (RFC 9111 §4.2); null: they say nothing. */
  freshForSeconds: number | null
}

/** Gets the document at an address that `documentIdProblem` has nothing against. @throws DocumentError */
export type FetchDocument = (id: string) => Promise<FetchedDocument>

/** What tests change: they have a DNS and an https server of their own, on loopback. */
export interface FetchOptions {
  /** Instead of the system's; `address:port`. */
  dnsServers?: readonly string[]
  /** Which addresses may be connected to. */
  isAllowed?: (address: string) => boolean
  /** Instead of the well-known authorities, PEM. */
  ca?: string
  deadlineMs?: number
}

/**
 * The only request this service ever makes on its own. Strangers choose where to, so (RULES D2, draft §8.6): the name is
 * resolved once, every address must be public, the connection goes to one of those addresses and nowhere else, the
 * certificate must be the name's, and nothing is followed, unpacked or waited for.
 */
export function createFetchDocument(options: FetchOptions = {}): FetchDocument {
  const { dnsServers, isAllowed = isPublicAddress, ca, deadlineMs = DEADLINE_MS } = options
  return async id => {
    const url = new URL(id)
    const deadline = AbortSignal.timeout(deadlineMs)
    try {
      const addresses = await resolve(url.hostname, deadline, dnsServers)
      const refused = addresses.find(address => !isAllowed(address))
      if (refused) throw new Error(`${url.hostname} is at ${refused}, which is not public`)
      return await get(url, addresses, deadline, ca)
    } catch (error) {
      if (error instanceof DocumentError) throw error
      // One wording for all: what a stranger may learn of our network is nothing.
      const why = deadline.aborted ? 'takes too long to answer' : 'cannot be reached'
      throw new DocumentError(why, { reason: `${why}: ${(error as Error).message}` })
    }
  }
}

/**
 * All addresses of a name. Asks DNS itself: `lookup` would hold one of the four threads that also hash passwords for as
 * long as a stranger's name server likes, and would look into /etc/hosts.
 */
async function resolve(host: string, deadline: AbortSignal, servers?: readonly string[]): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  if (servers) resolver.setServers(servers)
  const giveUp = () => resolver.cancel()
  deadline.addEventListener('abort', giveUp, { once: true })
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  deadline.removeEventListener('abort', giveUp)
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

/** Answers every question with addresses that were checked, so that no second look-up can change them. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.slice(0, MOST_TRIED).map(address => ({ address, family: isIPv6(address) ? 6 : 4 }))
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
    if (bytes > MAX_BYTES) throw new DocumentError('holds more than 5 KiB')
    chunks.push(chunk)
  }
  return { json: parse(Buffer.concat(chunks)), freshForSeconds: freshForSeconds(response.headers) }
}

function headProblem({ statusCode, headers }: IncomingMessage): string | null {
  if (statusCode !== 200) return `answers with status ${statusCode} instead of 200`
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) return 'does not answer with application/json'
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') return 'answers in a packed form'
  if (Number(headers['content-length'] ?? 0) > MAX_BYTES) return 'holds more than 5 KiB'
  return null
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new DocumentError('does not hold valid JSON')
  }
}

/** RFC 9111 §4.2.1, for a cache that many users share. */
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
