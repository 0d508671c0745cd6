import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { version } from '../../platform/common/package.js'

const DEADLINE_MS = 5000
const MAX_BYTES = 64 * 1024

export interface PublicAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

interface PublicRequest {
  method?: string
  headers?: Record<string, string>
  /** Null: only the head is sent, and the answer awaited. */
  body?: string | null
  /** Milliseconds. Default: five seconds. */
  deadlineMs?: number
}

/**
 * The service at BASE_URL, called from outside as an assistant would. Redirects are not followed, and no
 * response leads to another address.
 */
export class PublicAddress {
  readonly #baseUrl: string
  readonly #ca: string | undefined

  /** `ca`: a certificate authority for tests. */
  constructor(baseUrl: string, ca?: string) {
    this.#baseUrl = baseUrl
    this.#ca = ca
  }

  /** @throws if there is no answer within five seconds, or none that is HTTP */
  send(path: string, request: PublicRequest = {}): Promise<PublicAnswer> {
    return send(new URL(`${this.#baseUrl}${path}`), request, this.#ca)
  }

  /** The same host and port under https. */
  withTls(): PublicAddress {
    return new PublicAddress(this.#baseUrl.replace(/^http:/, 'https:'), this.#ca)
  }
}

function send(
  url: URL,
  { method = 'GET', headers = {}, body, deadlineMs = DEADLINE_MS }: PublicRequest,
  ca?: string,
) {
  return new Promise<PublicAnswer>((resolve, reject) => {
    const start = url.protocol === 'https:' ? httpsRequest : httpRequest
    const request = start(url, {
      agent: false,
      method,
      headers: { Accept: 'application/json', 'User-Agent': `svc-doctor/${version}`, ...headers },
      signal: AbortSignal.timeout(deadlineMs),
      ...(ca ? { ca } : {}),
    })
    request.on('error', reject)
    request.on('response', response => {
      const answer = { status: response.statusCode ?? 0, headers: response.headers }
      textOf(response)
        .then(body => resolve({ ...answer, body }), reject)
        .finally(() => request.destroy())
    })
    if (body === null) request.flushHeaders()
    else request.end(body)
  })
}

/** The first 64 KiB. */
async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MAX_BYTES) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The body of a JSON answer, or null for anything else, such as the page of a proxy. */
export function jsonOf({ headers, body }: PublicAnswer): Record<string, unknown> | null {
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) return null
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/** `404 text/html`, for people. */
export const shownAnswer = ({ status, headers }: PublicAnswer) =>
  `${status} ${headers['content-type'] ?? ''}`.trim().slice(0, 80)

/** The proxy that sent an answer, if the headers name it. */
export function proxyOf({ headers }: PublicAnswer): 'nginx' | 'apache' | 'caddy' | 'any' {
  const [name = 'any'] = /nginx|apache|caddy/.exec(String(headers.server ?? '').toLowerCase()) ?? []
  return name as 'nginx' | 'apache' | 'caddy' | 'any'
}
