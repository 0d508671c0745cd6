// The attacks, each run in a separate process, so that it delays only the service.
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { hiddenFields } from '../../test/integration/pages/browser.js'
import { requestText } from '../load/connection.js'
import { flood, mcpRequest } from './flood.js'

/** The built service, and the access of the attacker or the honest user. */
export interface Target {
  url: string
  port: number
  /** Tokens of connections to a Safe. */
  tokens: string[]
  /** Cookies of a signed-in browser. */
  cookie: string
  /** The pages of documents. */
  documents: string[]
}

interface Attack {
  /** Maximum processor time of one piece of work on the main thread, in milliseconds. */
  holdMs: number
  /** Minimum share of the honest user's calls that must be answered as if there were no attack. */
  honestShare: number
  /** Maximum factor by which the honest user's median wait may grow. */
  moreMs?: number
  /** The honest user opens a document instead of asking. */
  opensDocument?: true
  /** The service logs to a full disk. */
  hasFullDisk?: true
  /** @returns further output @throws if the attacker got something forbidden */
  run(target: Target): Promise<string>
}

export const attacks: Record<string, Attack> = {
  'fresh made-up tokens': {
    holdMs: 100,
    // Overload is detected after half a second to a second; until then the flood is answered first.
    honestShare: 0.75,
    async run({ port }) {
      const id = randomBytes(16).toString('hex').slice(0, 22)
      const request = (n: number) =>
        mcpRequest(`svc_at_${id}_${String(n).padStart(43, '0')}`, { jsonrpc: '2.0', id: 1, method: 'ping' })
      return counts(await flood({ port, sockets: 500, seconds: 8, request }))
    },
  },
  'batches of 50 long questions': {
    holdMs: 60,
    honestShare: 0.9,
    async run({ port, tokens: [token = ''] }) {
      const batch = Array.from({ length: 50 }, (_, id) => question(id, 11))
      return counts(await flood({ port, sockets: 8, seconds: 6, request: () => mcpRequest(token, batch) }))
    },
  },
  '240 questions at once over 20 connections': {
    holdMs: 60,
    honestShare: 0.9,
    moreMs: 200,
    async run({ port, tokens }) {
      const request = (n: number) => mcpRequest(tokens[n % tokens.length] ?? '', question(n, 1))
      return counts(await flood({ port, sockets: 240, seconds: 6, request }))
    },
  },
  'long documents of another reader': {
    holdMs: 100,
    honestShare: 0.9,
    // After two seconds the document is shown as text.
    moreMs: 2_200,
    opensDocument: true,
    async run({ port, cookie, documents }) {
      const requests = documents.map(path =>
        requestText(`GET ${path}`, { Cookie: cookie, Accept: 'text/html' }),
      )
      const request = (n: number) => requests[n % requests.length] ?? ''
      return counts(await flood({ port, sockets: 15, seconds: 10, request }))
    },
  },
  'a log on a full disk': {
    holdMs: 100,
    honestShare: 0.9,
    hasFullDisk: true,
    async run({ port, tokens: [token = ''] }) {
      const request = () => mcpRequest(token, { jsonrpc: '2.0', id: 1, method: 'ping' })
      return counts(await flood({ port, sockets: 4, seconds: 4, request }))
    },
  },
  'authorization requests of strangers': {
    holdMs: 100,
    honestShare: 0.9,
    async run({ url, port }) {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: await register(url),
        redirect_uri: 'http://localhost/cb',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
        state: 's'.repeat(7000),
      })
      const text = requestText(`GET /oauth/authorize?${query}`, { Accept: 'text/html' })
      const statuses = await flood({ port, sockets: 64, seconds: 6, request: () => text })
      if (!statuses.get(302)) throw new Error(`no request was taken: ${counts(statuses)}`)
      return counts(statuses)
    },
  },
  'two Host headers and foreign hosts': { holdMs: 100, honestShare: 0.9, run: foreignHosts },
  'wrong passwords from 80 addresses': {
    holdMs: 100,
    honestShare: 0.9,
    run: wrongPasswords,
  },
  'bodies at a byte a second': { holdMs: 100, honestShare: 0.9, run: slowBodies },
}

/** In such numbers that others would be shed (RULES P9, P11). */
async function foreignHosts({ port }: Target): Promise<string> {
  const [ours, foreign] = ['localhost', 'evil.example']
  const hosts = [
    { Host: ours, HOST: foreign },
    { Host: foreign, HOST: ours },
    { Host: ours, HOST: ours },
    { Host: foreign },
  ]
  const lines = ['GET /login', 'GET /search', 'POST /mcp/v1', 'POST /oauth/token', 'GET /nothing']
  const requests = lines.flatMap(line =>
    hosts.map(host =>
      requestText(line, { ...host, Authorization: 'Bearer made-up', Origin: `http://${foreign}` }),
    ),
  )
  const request = (n: number) => requests[n % requests.length] ?? ''
  const statuses = await flood({
    ...{ port, sockets: 300, seconds: 4, request },
    onHead(head) {
      if (/\r\n(?:access-control-allow-origin|retry-after|www-authenticate):/i.test(head))
        throw new Error(`a foreign host got\n${head}`)
    },
  })
  if ([...statuses.keys()].sort().join() !== '400,403') throw new Error(`answered ${counts(statuses)}`)
  return counts(statuses)
}

/** Each address with its own browser's form, so that they are checked and not refused as forgeries. */
async function wrongPasswords({ url, port }: Target): Promise<string> {
  const requests: string[] = []
  for (let i = 0; i < 80; i++) {
    const from = { 'X-Forwarded-For': `203.0.113.${i}` }
    const { headers, body } = await signInForm(url, `guess-${i}@a.example`, 'a wrong password', from)
    requests.push(requestText('POST /login', headers, body))
  }
  return counts(await flood({ port, sockets: 240, seconds: 8, request: n => requests[n % 80] ?? '' }))
}

/** A filled-in form of a new browser. */
export async function signInForm(
  url: string,
  email: string,
  password: string,
  from: Record<string, string> = {},
) {
  const page = await fetch(`${url}/login`, { headers: { accept: 'text/html', ...from } })
  const body = `${new URLSearchParams({ ...hiddenFields(await page.text(), '/login'), email, password })}`
  const type = 'application/x-www-form-urlencoded'
  return { headers: { ...from, Cookie: cookiesOf(page), 'Content-Type': type }, body }
}

/** The cookies of an answer, in the form that a request sends them. */
export const cookiesOf = ({ headers }: Response) =>
  headers
    .getSetCookie()
    .map(line => line.split(';')[0])
    .join('; ')

/** To pages that take bodies without an account: 15 s are allowed, plus some for the check. */
async function slowBodies({ port }: Target): Promise<string> {
  const [connections, seconds] = [300, 18]
  const lines = ['POST /login', 'POST /oauth/token', 'POST /mcp/v1', 'POST /safes/x/import']
  const type = 'Content-Type: application/x-www-form-urlencoded'
  const open = new Set<ReturnType<typeof connect>>()
  for (let i = 0; i < connections; i++) {
    const socket = connect(port, '127.0.0.1')
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    const head = [`${lines[i % lines.length]} HTTP/1.1`, 'Host: localhost', type, 'Content-Length: 1000']
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    socket.resume()
  }
  for (let second = 0; second < seconds; second++) {
    for (const socket of open) socket.write('x')
    await pause(1000)
  }
  const left = open.size
  for (const socket of open) socket.destroy()
  if (left > 0) throw new Error(`${left} of ${connections} connections are open after ${seconds} s`)
  return `all ${connections} closed`
}

async function register(url: string): Promise<string> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['http://localhost/cb'] }),
  })
  return ((await response.json()) as { client_id: string }).client_id
}

const QUERY = 'What does the keeper of the lighthouse know about the cooperative? '
const question = (id: number, length: number) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name: 'svc', arguments: { query: `${id} ${QUERY.repeat(length)}`, max_tokens: 20_000 } },
})

const counts = (statuses: Map<number, number>) =>
  [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')

if (process.send) {
  const [name = '', target = '{}'] = process.argv.slice(2)
  const note = await attacks[name]
    ?.run(JSON.parse(target))
    .catch((error: Error) => ({ problem: error.message }))
  process.send(note)
  process.disconnect()
}
