import { foreignMarkup } from './html.js'
import type { Request } from './plan.js'
import { BASE, VERA_ONLY, type World } from './world.js'

export interface Answer {
  status: number
  headers: [string, string][]
  body: string
}

/** Endpoints that never answer with a page, except for a foreign host (RULES P9). */
const FOR_PROGRAMS =
  /^\/(?:mcp\/v1(?:\/[\w-]{1,64})?\/?|(?:oauth\/)?(?:token|register)|oauth\/revoke|api\/v1\/.*|\.well-known\/.*)$/

/** Codes that MCP 2026-07-28 reserves (Overview, "Error Codes"; RULES N10). */
const RESERVED = /"code":-320(?:[01]\d|2[134-9]|[3-9]\d)\b/

/** Details of our implementation, which answers must not reveal. */
const INSIDES =
  /\n\s+at |node:internal|node_modules|file:\/\/\/|\.[jt]s:\d|\/svc-test-|SQLITE|sqlite|kysely|insert into|update "|from "\w+"|ioredis|WRONGTYPE|NOSCRIPT|ECONN|ENOENT|EACCES|TypeError|RangeError|SyntaxError|Cannot read prop|is not a function|is not iterable|\[object |Unexpected token|position \d+/

/** Codes and tokens of all owners. */
const TOKENS = /svc_(?:ac|at|rt)_[0-9A-Za-z]{22}_\w*/g

const HEADERS = new RegExp(
  `^(?:${[
    'accept-ranges|access-control-[a-z-]+|allow|cache-control|connection|content-(?:disposition|length|range|security-policy|type)',
    'date|etag|keep-alive|last-modified|location|mcp-session-id|pragma|referrer-policy|retry-after|set-cookie',
    'strict-transport-security|transfer-encoding|vary|www-authenticate|x-(?:content-type-options|frame-options)',
    'tus-[a-z-]+|upload-[a-z]+|x-ratelimit-(?:limit|remaining|reset)',
  ].join('|')})$`,
)

/** Parameters that may follow a redirect URI in an answer (RFC 6749 §4.1.2, RFC 9207 §2). */
const ANSWER = /^(?:(?:code|state|iss|error|error_description)=[^&#\s<>"]*(?:&|$))+$/

/** Properties of every answer to every request; throws for a violation. */
export function checkAnswer(request: Request, answer: Answer, world: World): void {
  const { status, headers, body } = answer
  const fail = (what: string) => {
    throw new Error(
      `${what}\n  ${request.method} ${request.path}\n  answer: ${status} ${JSON.stringify(headers)}\n  ${body.slice(0, 2000)}`,
    )
  }
  const type = headerOf(headers, 'content-type') ?? ''
  const isPage = type.includes('html')
  // People get the content of a Safe back as they entered it.
  const isExport = headerOf(headers, 'content-disposition') !== undefined
  // Administrators see the settings there. A request in raw bytes has no path.
  const isSystem = isPage && (/^\/system\b/.test(request.path) || body.includes('<title>System ·'))

  if (status >= 500) fail('a fault of the server')
  for (const [name, value] of headers) {
    if (!HEADERS.test(name)) fail(`a header that is not ours: ${name}`)
    if (/[\0\r\n]/.test(value)) fail(`a line break in ${name}`)
  }
  if (isPage) {
    const foreign = foreignMarkup(body)
    if (foreign) fail(`unescaped text: ${foreign}`)
    if (!headerOf(headers, 'content-security-policy')?.includes("default-src 'none'"))
      fail('a page without its policy')
  }
  if (!isExport && body.includes(String(7919 * 7907))) fail('a template inside of a text was evaluated')
  const insides = INSIDES.exec(body)
  if (insides && !isExport && !isSystem && !sentBy(request, insides[0]))
    fail(`it tells how we are built: ${insides[0]}`)
  if (body.includes(VERA_ONLY)) fail("somebody else's Safe")
  checkSecrets(request, answer, world, fail)
  if (FOR_PROGRAMS.test(request.path)) {
    if (headerOf(headers, 'set-cookie') !== undefined) fail('a cookie where a program asked')
    if (isPage && !(status === 403 && asksForPage(request))) fail('a page where a program asked')
    if (body !== '' && !isPage && !isExport && !isJson(body)) fail('no JSON where a program asked')
    if (isStateless(request) && RESERVED.test(body)) fail('a reserved code')
  } else if (
    [403, 404, 405, 413, 415].includes(status) &&
    !asksForPage(request) &&
    isPage &&
    !isForPeople(request)
  ) {
    fail('a page for a program')
  }
  const location = headerOf(headers, 'location')
  if (location !== undefined) checkLocation(location, request, world, fail)
  learn(request, answer, world)
}

/** Tokens are returned once, to their owner; refusals contain no secret, not even the sender's own. */
function checkSecrets(request: Request, { status, body }: Answer, world: World, fail: Fail): void {
  const isProgram = request.route === 'POST /account/programs'
  const tells = status === 200 && (body.startsWith('{"access_token":') || isProgram)
  for (const secret of typed(request, world)) world.typed.add(secret)
  const token = (body.match(TOKENS) ?? []).find(token => !world.typed.has(token))
  if (token && !tells) fail(`a token in a body: ${token}`)
  if (status < 400) return
  const again = shownAgain(request)
  for (const secret of world.secrets()) {
    if (body.includes(secret) && !again.includes(secret) && !world.typed.has(secret)) {
      fail(`a secret in a refusal: ${secret}`)
    }
  }
}

/** Secrets that were sent in other fields, such as the name of a Safe, which pages then show. */
function typed({ path, query, body }: Request, world: World): string[] {
  if (/^\/(?:oauth\/)?(?:token|revoke)$/.test(path)) return []
  const text = `${query}\n${body?.toString() ?? ''}`
  const isKept = path === '' || /^\/(?:safes|(?:oauth\/)?register)(?:\/|$)/.test(path)
  const kept = isKept ? world.secrets().filter(secret => text.includes(secret)) : []
  return [...kept, ...(text.match(TOKENS) ?? [])]
}

/** Texts from fields that a page shows again when it refuses them, and the ids of JSON-RPC. */
function shownAgain({ query, body }: Request): string {
  const text = body?.toString() ?? ''
  const fields = [...new URLSearchParams(query), ...new URLSearchParams(text)]
  const shown = fields.flatMap(([name, value]) =>
    /^(?:q|name|email|token|request)$/.test(name) ? value : [],
  )
  return [...shown, ...(text.match(/"id":"[^"]*"/g) ?? [])].join('\n')
}

/** No open redirect: another host must be a callback of the client of this request (RULES A3, A4). */
function checkLocation(location: string, request: Request, world: World, fail: Fail): void {
  if (/[^\x21-\x7e]/.test(location)) fail(`characters that no address has: ${location}`)
  if (/^\/(?![/\\])/.test(location) || location.startsWith(`${BASE}/`)) return
  const clients = clientsOf(request, world)
  const uris = clients.flatMap(client => world.redirectUris.get(client) ?? [])
  const known = clients.some(client => world.redirectUris.has(client) && !client.startsWith('https:'))
    ? KNOWN.flatMap(k => k.exec(location)?.[0] ?? [])
    : []
  for (const uri of [...uris, ...known, ...uris.flatMap(uri => anyPort(uri, location))]) {
    if (location.startsWith(uri) && ANSWER.test(location.slice(uri.length).replace(/^[?&]/, ''))) return
  }
  fail(`an open redirect: ${location}`)
}

/** Exact callbacks of known assistants, and any path on the user's own computer. */
const KNOWN = [
  /^https:\/\/claude\.(?:ai|com)\/api\/mcp\/auth_callback(?=\?)/,
  /^https:\/\/chatgpt\.com\/connector_platform_oauth_redirect(?=\?)/,
  /^https:\/\/chatgpt\.com\/connector\/oauth\/[\w-]+(?=\?)/,
  /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:\/[^?#]*)?(?=\?)/,
]

/** A loopback redirect URI with another port or name (RFC 8252 §7.3). */
function anyPort(uri: string, location: string): string[] {
  const [, rest] = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(\/.*)?$/.exec(uri) ?? []
  const [origin] = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=\/|\?)/.exec(location) ?? []
  return rest && origin ? [`${origin}${rest}`] : []
}

function clientsOf({ path, query }: Request, world: World): string[] {
  const [, id] = /^\/oauth\/consent\/([^/]*)$/.exec(path) ?? []
  if (id) return [world.asked.get(id) ?? '']
  return new URLSearchParams(query).getAll('client_id')
}

/** Remembers the callbacks of each client, from the answers of the service. */
function learn(request: Request, { status, headers, body }: Answer, world: World): void {
  const [, id] = /^\/oauth\/consent\/([\w-]+)$/.exec(headerOf(headers, 'location') ?? '') ?? []
  const [client] = clientsOf(request, world)
  if (id && client && /authorize/.test(request.path)) world.asked.set(id, client)
  if (status !== 201) return
  const { client_id, redirect_uris } = JSON.parse(body)
  world.redirectUris.set(client_id, redirect_uris)
}

type Fail = (what: string) => void

export const headerOf = (headers: [string, string][], name: string) =>
  headers.find(([known]) => known === name)?.[1]

const asksForPage = ({ headers }: Request) =>
  headers.some(([name, value]) => /^accept$/i.test(name) && value.includes('text/html'))

const isStateless = ({ headers }: Request) =>
  headers.filter(([name]) => /^mcp-protocol-version$/i.test(name)).join() ===
  'mcp-protocol-version,2026-07-28'

/** Endpoints for browsers with people only. */
const isForPeople = ({ path }: Request) => /^\/(?:oauth\/)?(?:authorize|consent)(?:\/|$)/.test(path)

/** Whether a text only repeats one of ours. */
function sentBy({ path, query, headers, body }: Request, text: string): boolean {
  const sent = [path, query, ...headers.flat(), body?.toString() ?? ''].join('\n')
  return sent.includes(text) || sent.includes(encodeURIComponent(text))
}

function isJson(body: string): boolean {
  try {
    return typeof JSON.parse(body) === 'object'
  } catch {
    return false
  }
}
