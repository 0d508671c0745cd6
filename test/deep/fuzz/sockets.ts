import { connect } from 'node:net'
import fc from 'fast-check'
import { pieces } from '../../pieces.js'
import { plan } from './mutations.js'
import { type Plan, type Request, type Splice, spliceText } from './plan.js'
import { type Answer, headerOf } from './properties.js'
import type { World } from './world.js'

/** A request as bytes, which may no longer be HTTP. */
export interface Wire {
  plan: Plan
  /** Applied to the bytes one after another; none: the request is HTTP and needs an answer. */
  damage: Damage[]
  /** Places where the bytes are split, in ten-thousandths: each part arrives by itself. */
  parted: number[]
}

type Damage =
  | ({ do: 'splice' } & Omit<Splice, 'part'>)
  | { do: 'cut' | 'flip'; at: number }
  | { do: 'line'; at: number; line: string }
  | { do: 'start'; line: string }
  | { do: 'twice' | 'bare' }

const START_LINES = [
  ...pieces(
    'GET / HTTP/1.0¦GET / HTTP/0.9¦GET / HTTP/2.0¦GET /¦PRI * HTTP/2.0\r\n\r\nSM¦OPTIONS * HTTP/1.1',
    'CONNECT svc-fuzz.example:443 HTTP/1.1¦GET http://svc-fuzz.example/login HTTP/1.1',
    'GET //svc-fuzz.example/.. HTTP/1.1¦GET /\\svc-fuzz.example HTTP/1.1',
    'GET /oauth/../safes/./%2e%2e/login HTTP/1.1¦GET /%00%zz%c0%af?%00=%zz HTTP/1.1',
    'GET /<svc-fuzz>"svc-fuzz= HTTP/1.1¦GET /safes/<svc-fuzz>?q=<svc-fuzz> HTTP/1.1',
    'GET /?a#b?c HTTP/1.1¦GET ?q HTTP/1.1¦get / HTTP/1.1¦\u0000\u0001 / HTTP/1.1¦GET\t/\tHTTP/1.1',
    'SVC-FUZZ / HTTP/1.1¦BREW /login HTTP/1.1¦ GET / HTTP/1.1¦GET / HTTP/1.1\r\nX: \u0000',
  ),
  `GET /${'x'.repeat(20_000)} HTTP/1.1`,
  `GET /login?${'a=1&'.repeat(4000)} HTTP/1.1`,
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
]

const LINES = [
  ...pieces(
    'Host: svc-fuzz.example¦Host: safes.example\r\nHost: svc-fuzz.example¦Host:¦Content-Length: 5',
    'Content-Length: 5\r\nContent-Length: 6¦Content-Length: 0x10¦Content-Length: -5',
    'Content-Length: 99999999999999999999¦Transfer-Encoding: chunked',
    'Transfer-Encoding: chunked\r\nContent-Length: 3¦Transfer-Encoding: identity, chunked',
    'Transfer-Encoding:\u000bchunked¦Expect: 100-continue¦Expect: svc-fuzz',
    'Upgrade: websocket\r\nConnection: Upgrade¦Connection: keep-alive, Content-Length',
    'Authorization: Bearer a\r\nAuthorization: Bearer b¦Cookie: a=b\r\nCookie: __Host-svc_session=x',
    'X-Svc-Fuzz : space¦: no name¦no colon¦ folded: line¦X-Svc-Fuzz: a\n  folded¦X-Svc-Fuzz: a\rb',
    'X-Svc-Fuzz: \u0000\u007f\u00ff',
  ),
  `X-Svc-Fuzz: ${'x'.repeat(17_000)}`,
  'X: y\r\n'.repeat(300).trim(),
  'Trailer: X-Svc-Fuzz\r\nTransfer-Encoding: chunked\r\n\r\n1;svc-fuzz="<svc-fuzz>\r\na\r\n0\r\nX-Svc-Fuzz: 1\r\n',
  'Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n',
]

const at = fc.nat(10_000)
const bytes = fc.uint8Array({ maxLength: 12 }).map(bytes => Buffer.from(bytes).toString('latin1'))
const insert = fc.oneof(
  fc.constantFrom('\r\n', '\n', '\r', '\0', ' ', ':', '\r\n\r\n', 'HTTP/1.1 200 OK\r\n'),
  bytes,
)

const damage = fc.oneof(
  fc.record({ do: fc.constant('splice'), at, remove: fc.nat(20), insert }),
  fc.record({ do: fc.constantFrom('cut', 'flip'), at }),
  fc.record({ do: fc.constant('line'), at: fc.nat(6), line: fc.constantFrom(...LINES) }),
  fc.record({ do: fc.constant('start'), line: fc.constantFrom(...START_LINES) }),
  fc.record({ do: fc.constantFrom('twice', 'bare') }),
) as fc.Arbitrary<Damage>

export const wire: fc.Arbitrary<Wire> = fc.record({
  plan,
  damage: fc.array(damage, { maxLength: 3, size: 'max' }),
  parted: fc.array(at, { maxLength: 2 }),
})

/** The request as it goes over the wire, then damaged. */
export function bytesOf({ method, path, query, headers, body }: Request, damage: Damage[]): Buffer {
  const target = query ? `${path}?${query}` : path
  const length =
    headers.some(([name]) => /^content-length$/i.test(name)) || !body ? [] : [['Content-Length', body.length]]
  const lines = [['Host', 'safes.example'], ['Connection', 'close'], ...headers, ...length].map(
    ([name, value]) => `${name}: ${value}`,
  )
  const head = [`${method} ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n')
  const text = Buffer.concat([Buffer.from(head), body ?? Buffer.of()]).toString('latin1')
  return Buffer.from(damage.reduce(damaged, text), 'latin1')
}

function damaged(text: string, damage: Damage): string {
  switch (damage.do) {
    case 'splice':
      return spliceText(text, damage)
    case 'cut':
      return text.slice(0, (text.length * damage.at) / 10_000)
    case 'flip':
      return spliceText(text, { ...damage, remove: 1, insert: String.fromCharCode(damage.at % 256) })
    case 'start':
      return text.replace(/^[^\r\n]*/, () => damage.line)
    case 'line':
      return text
        .split('\r\n')
        .toSpliced(damage.at + 1, 0, damage.line)
        .join('\r\n')
    case 'twice':
      return text.replace('Connection: close', 'Connection: keep-alive') + text
    case 'bare':
      return text.replaceAll('\r\n', '\n')
  }
}

/** How long a server may wait for the rest of a request before the client closes its side. */
const PATIENCE_MS = 100

/** Sends bytes in pieces. Returns everything received until the connection was closed. */
export function exchange(port: number, bytes: Buffer, parted: number[], whole: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const ends = [...parted.map(at => Math.floor((bytes.length * at) / 10_000)), bytes.length].sort(
      (a, b) => a - b,
    )
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const chunks: Buffer[] = []
    let patience: NodeJS.Timeout | undefined
    socket.on('data', chunk => chunks.push(chunk))
    socket.on('error', error =>
      'code' in error && /EPIPE|ECONNRESET/.test(String(error.code)) ? undefined : reject(error),
    )
    socket.on('close', () => {
      clearTimeout(patience)
      resolve(Buffer.concat(chunks).toString('latin1'))
    })
    socket.on('connect', async () => {
      let from = 0
      for (const end of ends) {
        socket.write(bytes.subarray(from, end))
        from = end
        await new Promise(resolve => setImmediate(resolve))
      }
      if (!whole) patience = setTimeout(() => socket.end(), PATIENCE_MS)
    })
  })
}

/** The answers in the received text (latin1), in the order of their requests. */
export function answersIn(text: string): Answer[] {
  const answers: Answer[] = []
  while (text !== '') {
    const end = text.indexOf('\r\n\r\n')
    const [status = '', ...lines] = text.slice(0, end).split('\r\n')
    const [, code] = /^HTTP\/1\.1 (\d{3}) /.exec(status) ?? []
    if (end < 0 || !code) throw new Error(`what came back is no answer: ${text.slice(0, 500)}`)
    const headers = lines.map((line): [string, string] => {
      const [name = '', ...value] = line.split(': ')
      return [name.toLowerCase(), value.join(': ')]
    })
    const rest = text.slice(end + 4)
    // An answer to HEAD has the length of a body that it does not have; Node's own answer to `Expect` has none.
    const next = rest.search(/HTTP\/1\.1 \d{3} /)
    const length =
      next === 0 ? 0 : Number(headerOf(headers, 'content-length') ?? (next > 0 ? next : rest.length))
    const body = Buffer.from(rest.slice(0, length), 'latin1').toString()
    if (code !== '100') answers.push({ status: Number(code), headers, body })
    text = code === '100' ? rest : rest.slice(length)
  }
  return answers
}

/** Whether the bytes are HTTP that needs an answer. */
export function isWhole({ path, query, headers }: Request, damage: Damage[]): boolean {
  if (damage.length > 0 || /[^\x21-\x7e]/.test(path + query)) return false
  return headers.every(
    ([name, value]) =>
      /^[\w!#$%&'*+.^`|~-]+$/.test(name) &&
      !/[^\t\x20-\x7e]/.test(value) &&
      !/^(?:host|connection|content-length|transfer-encoding|expect|upgrade)$/i.test(name),
  )
}

/** The parts of an answer to damaged bytes that can be checked: its sender can only be guessed. */
export function asRead(request: Request, bytes: Buffer, world: World): Request {
  const text = bytes.toString('latin1')
  // Sent twice; only one copy may be damaged.
  const consents = [...text.matchAll(/\/oauth\/consent\/([\w-]+)/g)]
  const [consent = ''] = consents.find(([, id = '']) => world.asked.has(id)) ?? consents[0] ?? []
  const fields = [...text.matchAll(/\b(?:client_id|q|name|email|token|request)=[^&\s]*/g)].join('&')
  return { ...request, path: consent, query: fields, headers: [['accept', 'text/html']], body: bytes }
}
