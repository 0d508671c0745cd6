import { setTimeout as pause } from 'node:timers/promises'
import { CommandError } from '../command.js'

/** The server cannot be reached, or cannot answer now. It may work later. */
export class ServerUnreachable extends CommandError {}

/** Maximum time to send a request and receive the first part of its answer. */
const ANSWER_MS = 120_000
/** Maximum time of an answer after its start, unless it is a file that the person wants. */
export const ANSWER = { bytes: 64 * 1024 * 1024, ms: 120_000 }
/** Too many requests, and the statuses of proxies and the service while the service is busy or restarts. */
const AGAIN = [429, 502, 503, 504]
const FIRST_PAUSE_MS = 500
/** Longer waits are shown to the person. */
const NOTABLE_MS = 5_000
/** Longer waits are left to the person's decision. */
const MAX_PAUSE_MS = 60_000

/** Advice for each error of Node's sockets and TLS; `at` is the host. */
const ADVICE: Record<string, (at: string) => string> = {
  ENOTFOUND: at => `There is no computer called ${at}. Check the address.`,
  EAI_AGAIN: at => `The name ${at} cannot be looked up. Is this machine online?`,
  ECONNREFUSED: at => `Nothing answers at ${at}. Is the service running?`,
  ECONNRESET: at => `The connection to ${at} broke. Try again.`,
  EPIPE: at => `The connection to ${at} broke. Try again.`,
  UND_ERR_SOCKET: at => `The connection to ${at} broke. Try again.`,
  ETIMEDOUT: at => `${at} does not answer. Is the service running, and is this machine online?`,
  UND_ERR_CONNECT_TIMEOUT: at => `${at} does not answer. Is the service running, and is this machine online?`,
  UND_ERR_HEADERS_TIMEOUT: at => `${at} took too long to answer. Try again.`,
  UND_ERR_BODY_TIMEOUT: at => `${at} stopped in the middle of its answer. Try again.`,
  EHOSTUNREACH: at => `${at} cannot be reached from this network.`,
  ENETUNREACH: at => `${at} cannot be reached. Is this machine online?`,
  CERT_HAS_EXPIRED: at => `The certificate of ${at} has expired. The operator of the server must renew it.`,
  CERT_NOT_YET_VALID: at => `The certificate of ${at} is not valid yet. Is the clock of this machine right?`,
  ERR_TLS_CERT_ALTNAME_INVALID: at =>
    `The certificate is not for ${at}. Use the name that it was issued for.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownIssuer,
  SELF_SIGNED_CERT_IN_CHAIN: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  EPROTO: noTls,
}

function unknownIssuer(at: string): string {
  return `This machine does not trust the certificate of ${at}. If your own authority issued it, set NODE_EXTRA_CA_CERTS to the authority’s file.`
}

function noTls(at: string): string {
  return `${at} does not speak https.`
}

/**
 * Sends a request and reads its answer; with `limits` null, the caller reads the body of a success. Does not follow redirects,
 * which could send the token elsewhere.
 * @throws ServerUnreachable, with a sentence about what to do; CommandError for an answer beyond the limits
 */
export async function send(
  url: URL | string,
  init: RequestInit = {},
  limits: typeof ANSWER | null = ANSWER,
): Promise<Response> {
  const { origin } = new URL(url)
  const deadline = new AbortController()
  const late = () => deadline.abort(new DOMException('', 'TimeoutError'))
  const timer = setTimeout(late, ANSWER_MS)
  const response = await fetch(url, { ...init, redirect: 'manual', signal: deadline.signal })
    .catch(error => {
      throw unreachable(origin, error)
    })
    .finally(() => clearTimeout(timer))
  const target = response.headers.get('location')
  if (response.status >= 300 && response.status < 400 && target !== null) {
    const { origin: other } = new URL(target, url)
    throw new CommandError(`${origin} redirects to ${other}. Sign in there: svc login ${other}`)
  }
  return limits === null && response.ok ? response : whole(response, origin, limits ?? ANSWER, deadline)
}

/** The answer with its body. Not retried if the body is too large or takes too long. */
async function whole(
  response: Response,
  origin: string,
  { bytes, ms }: typeof ANSWER,
  deadline: AbortController,
) {
  const { body, status, statusText, headers } = response
  if (body === null) return response
  const parts: Uint8Array[] = []
  let size = 0
  const timer = setTimeout(() => deadline.abort(), ms)
  try {
    for await (const part of body) {
      size += part.length
      if (size > bytes) throw new CommandError(`${origin} sends more than ${bytes} bytes as an answer.`)
      parts.push(part)
    }
  } catch (error) {
    if (deadline.signal.aborted) throw new CommandError(`${origin} does not end its answer.`)
    throw error instanceof CommandError ? error : unreachable(origin, error)
  } finally {
    clearTimeout(timer)
  }
  return new Response(Buffer.concat(parts), { status, statusText, headers })
}

/** The sentence for an error of `fetch`, also while a body is being read. */
export function unreachable(origin: string, error: unknown): ServerUnreachable {
  const { host } = new URL(origin)
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, name } = cause as NodeJS.ErrnoException
    const advice =
      ADVICE[code ?? ''] ?? (name === 'TimeoutError' ? ADVICE.UND_ERR_HEADERS_TIMEOUT : undefined)
    if (advice) return new ServerUnreachable(advice(host), { cause: error })
  }
  const { message, cause } = error as Error
  const reason = cause instanceof Error ? cause.message : message
  return new ServerUnreachable(`${host} cannot be reached: ${reason}. Try again.`, { cause: error })
}

/**
 * Retries while the server is unreachable, restarts behind its proxy, or asks to wait (RFC 9110 §10.2.3).
 * `attempt` must be safe to repeat.
 */
export async function withRetries(
  attempt: () => Promise<Response>,
  tries: number,
  onWait: (seconds: number) => void,
): Promise<Response> {
  for (let tried = 1; ; tried++) {
    const response = await attempt().catch(error => {
      if (tried >= tries || !(error instanceof ServerUnreachable)) throw error
      return null
    })
    if (response && !AGAIN.includes(response.status)) return response
    const wait = waitOf(response, tried)
    if (response && (tried >= tries || wait > MAX_PAUSE_MS)) return response
    await response?.body?.cancel()
    if (wait >= NOTABLE_MS) onWait(Math.ceil(wait / 1000))
    await pause(wait)
  }
}

/** Milliseconds of `Retry-After`, or doubled each time, with random jitter so that many clients do not return at once. */
function waitOf(response: Response | null, tried: number): number {
  const seconds = Number(response?.headers.get('retry-after') ?? Number.NaN)
  if (seconds >= 0) return seconds * 1000 + Math.random() * 250
  return FIRST_PAUSE_MS * 2 ** (tried - 1) * (0.75 + Math.random() / 2)
}
