import type { ServerResponse } from 'node:http'
import { createGzip, gzipSync } from 'node:zlib'
import t from 'tap'
import { DocumentError } from '../../../domain/oauth/clients/client-document.js'
import { createFetchDocument, freshForSeconds } from '../../../domain/oauth/clients/document-fetch.js'
import { isPublicAddress } from '../../../domain/oauth/clients/public-address.js'
import { words } from '../../words.js'
import { documentOf, documentServer, HOST, nameServer, onLoopback, publish } from './document-server.js'

/** The error of a rejected fetch. */
const refusal = async (fetched: Promise<unknown>): Promise<DocumentError> => {
  const error = await fetched.then(
    () => new Error('it was not refused'),
    error => error,
  )
  if (!(error instanceof DocumentError)) throw error
  return error
}

const JSON_TYPE = { 'content-type': 'application/json' }

t.test('D2 a document is requested with plain headers, and the connection is closed', async t => {
  const dns = await nameServer(t)
  const server = await documentServer(t, publish({}, { 'cache-control': 'public, max-age=300' }))
  const id = server.at('/oauth/client.json')
  const fetched = await createFetchDocument(onLoopback(dns))(id)
  t.strictSame(fetched, { json: documentOf(id), freshForSeconds: 300 })
  const [request] = server.requests
  t.match(request?.headers, {
    accept: 'application/json',
    'accept-encoding': 'identity',
    host: new URL(id).host,
  })
  t.notOk(request?.headers.cookie ?? request?.headers.authorization)
  t.ok(await server.allClosed())
  server.respond = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/oauth-client+json; charset=utf-8' })
    response.end('{}')
  }
  const other = await createFetchDocument(onLoopback(dns))(id)
  t.strictSame(other, { json: {}, freshForSeconds: null }, 'a more specific type of JSON (draft §4)')
})

t.test('D2 any other answer is refused, and the connection is closed', async t => {
  const dns = await nameServer(t)
  const server = await documentServer(t, () => {})
  const fetch = createFetchDocument(onLoopback(dns))
  const body = JSON.stringify(documentOf(server.at('/x')))
  const cases: [string, (response: ServerResponse) => void, RegExp][] = [
    ['a redirect', r => r.writeHead(302, { location: server.at('/other') }).end(), /status 302/],
    ['404 with a document', r => r.writeHead(404, JSON_TYPE).end(body), /status 404/],
    ['206', r => r.writeHead(206, JSON_TYPE).end(body), /status 206/],
    ['HTML', r => r.writeHead(200, { 'content-type': 'text/html' }).end('<html>'), /application\/json/],
    ['no type', r => r.writeHead(200).end(body), /application\/json/],
    ['HTML named JSON', r => r.writeHead(200, JSON_TYPE).end('<html>'), /valid JSON/],
    ['half of it', r => r.writeHead(200, JSON_TYPE).end(body.slice(0, 50)), /valid JSON/],
    ['no UTF-8', r => r.writeHead(200, JSON_TYPE).end(Buffer.from([0x22, 0xff, 0x22])), /valid JSON/],
    [
      'gzip',
      r => r.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(body)),
      /compressed/,
    ],
    [
      'a length over 5 KiB',
      r => r.writeHead(200, { ...JSON_TYPE, 'content-length': 5121 }).write(' '),
      /5 KiB/,
    ],
    ['5 KiB and a byte', r => r.writeHead(200, JSON_TYPE).end(`"${'x'.repeat(5119)}"`), /5 KiB/],
    [
      'more than it said',
      r => r.writeHead(200, { ...JSON_TYPE, 'content-length': 9 }).end(body),
      /valid JSON|reached/,
    ],
    [
      'less than it said',
      r => {
        r.writeHead(200, { ...JSON_TYPE, 'content-length': 4000 }).write(body, () => r.destroy())
      },
      /reached/,
    ],
    ['a reset before the head', r => r.destroy(), /reached/],
    ['a huge header', r => r.writeHead(200, { ...JSON_TYPE, x: 'x'.repeat(9000) }).end(body), /reached/],
    ['an upgrade', r => r.writeHead(101, { connection: 'upgrade', upgrade: 'x' }).end(), /reached/],
    ['no HTTP', r => r.socket?.write('220 mail.example ESMTP\r\n'), /reached/],
  ]
  for (const [name, respond, problem] of cases) {
    server.respond = (_request, response) => respond(response)
    t.match((await refusal(fetch(server.at('/x')))).problem, problem, name)
    t.ok(await server.allClosed(), `${name}: closed`)
  }
  t.equal(server.requests.filter(({ url }) => url !== '/x').length, 0, 'nothing was followed')
  server.respond = (_request, response) => response.writeHead(200, JSON_TYPE).end(`"${'x'.repeat(5118)}"`)
  t.equal((await fetch(server.at('/x'))).json, 'x'.repeat(5118), '5 KiB are fine')
})

t.test('D2 a slow or endless response is cut off', async t => {
  const dns = await nameServer(t)
  const server = await documentServer(t, () => {})
  let deadline = new AbortController()
  const fetch = createFetchDocument({ ...onLoopback(dns), deadline: () => deadline.signal })
  /** Writes until the deadline, which comes after ten times. */
  const drip = (write: () => unknown) => {
    let left = 10
    const timer = setInterval(() => (left-- > 0 ? write() : deadline.abort()), 1)
    deadline.signal.addEventListener('abort', () => clearInterval(timer))
  }
  const cases: [string, (response: ServerResponse) => void, RegExp][] = [
    ['no answer', () => deadline.abort(), /too long/],
    [
      'a head that never ends',
      r => {
        r.socket?.write('HTTP/1.1 200 OK\r\n')
        drip(() => r.socket?.writable && r.socket.write('x: y\r\n'))
      },
      /too long/,
    ],
    ['early hints without end', r => drip(() => r.socket?.writable && r.writeProcessing()), /too long/],
    [
      'a body that stops',
      r => r.writeHead(200, JSON_TYPE).write('{"client_id":', () => deadline.abort()),
      /too long/,
    ],
    [
      'a body without end',
      r => {
        r.writeHead(200, JSON_TYPE)
        const more = () => {
          while (r.writable && r.write(' '.repeat(1000)));
        }
        r.on('drain', more)
        more()
      },
      /5 KiB/,
    ],
    [
      'a bomb',
      r => {
        const gzip = createGzip()
        r.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' })
        gzip.pipe(r)
        gzip.write(Buffer.alloc(100_000))
      },
      /compressed/,
    ],
  ]
  for (const [name, respond, problem] of cases) {
    deadline = new AbortController()
    server.respond = (_request, response) => respond(response)
    t.match((await refusal(fetch(server.at('/x')))).problem, problem, name)
    t.ok(await server.allClosed(), `${name}: closed`)
  }
  deadline = new AbortController()
  const mute = await nameServer(t, () => {
    deadline.abort()
    return 'silence'
  })
  const error = await refusal(
    createFetchDocument({ ...onLoopback(mute), deadline: () => deadline.signal })(server.at('/x')),
  )
  t.match(error.problem, /too long/, 'a name server without an answer')
  t.match(error.message, /ECANCELLED/, 'which is waited for no longer')
})

t.test('D2 the certificate has to be the name’s, valid, and from a known authority', async t => {
  const dns = await nameServer(t)
  const options = onLoopback(dns)
  for (const certificate of ['other', 'expired'] as const) {
    const server = await documentServer(t, publish(), certificate)
    const { problem } = await refusal(createFetchDocument(options)(server.at('/x')))
    t.equal(problem, 'cannot be reached', certificate)
    t.equal(server.connections, 1)
    t.equal(server.requests.length, 0, 'nothing was asked')
    t.ok(await server.allClosed())
  }
  const server = await documentServer(t, publish())
  const { ca: _, ...withoutCa } = options
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  t.teardown(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
  const { problem } = await refusal(createFetchDocument(withoutCa)(server.at('/x')))
  t.equal(problem, 'cannot be reached', 'also where Node was told not to look')
  t.equal(server.requests.length, 0)
})

t.test('D2 a name is resolved once: a second answer changes nothing (DNS rebinding)', async t => {
  const dns = await nameServer(t, (type, nth) =>
    type === 'AAAA' ? [] : [nth === 1 ? '127.0.0.1' : '10.0.0.1'],
  )
  const server = await documentServer(t, publish())
  await createFetchDocument(onLoopback(dns))(server.at('/x'))
  t.strictSame(dns.questions.sort(), [`${HOST} A`, `${HOST} AAAA`])
})

t.test('D1, D2 if one resolved address is not public, no connection is made', async t => {
  const server = await documentServer(t, publish())
  const mixes: [string[], string[]][] = [
    [['127.0.0.1'], []],
    [['127.0.0.1', '1.1.1.1'], []],
    [['1.1.1.1', '169.254.169.254'], []],
    [[], ['::1']],
    [['1.1.1.1'], ['::ffff:127.0.0.1']],
    [[], []],
  ]
  for (const [a, aaaa] of mixes) {
    const dns = await nameServer(t, type => (type === 'A' ? a : aaaa))
    const { problem, message } = await refusal(
      createFetchDocument({ dnsServers: [dns.address] })(server.at('/x')),
    )
    t.equal(problem, 'cannot be reached', 'strangers learn nothing of our network')
    t.match(message, /not a public|no address/, 'the log says why')
  }
  t.equal(server.connections, 0)
})

t.test('D1 which addresses are public', async t => {
  const refused = [
    ...words(`
    0.0.0.0 0.0.0.1 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 127.0.0.1 127.1.2.3 169.254.169.254
    169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1
    198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255
    168.63.129.16 :: ::1 ::2 ::7f00:1 ::a00:1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1
    64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::a00:1 100::1 2001::1 2001:0:4136:e378:: 2001:2::1 2001:10::1
    2001:20::1 2001:db8::1 2002:7f00:1:: 2002:808:808:: 3fff::1 4000::1 5f00::1 fc00::1 fd00:ec2::254
    fd20:ce::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 localhost 1.1.1 0x7f.1 2130706433 017700000001
    1.1.1.1/32
  `),
    '',
    ' 1.1.1.1',
  ]
  for (const address of refused) t.notOk(isPublicAddress(address), address)
  const fine = words(`
    1.1.1.1 8.8.8.8 93.184.216.34 160.79.104.1 172.15.0.1 172.32.0.1 192.0.1.1
  `)
  for (const address of [...fine, '2606:4700:4700::1111', '2a00:1450:4001::1'])
    t.ok(isPublicAddress(address), address)
})

t.test('D3 how long headers let a document be kept (RFC 9111 §4.2.1)', async t => {
  const date = 'Sat, 21 Nov 2026 12:00:00 GMT'
  const cases: [Record<string, string>, number | null][] = [
    [{}, null],
    [{ 'cache-control': 'public' }, null],
    [{ 'cache-control': 'public, max-age=300' }, 300],
    [{ 'cache-control': 'MAX-AGE="60"' }, 60],
    [{ 'cache-control': 'max-age=300, s-maxage=10' }, 10],
    [{ 'cache-control': 'max-age=300', age: '290' }, 10],
    [{ 'cache-control': 'max-age=300', age: '400' }, 0],
    [{ 'cache-control': 'max-age=300', expires: date, date }, 300],
    [{ 'cache-control': 'no-store' }, 0],
    [{ 'cache-control': 'no-cache, max-age=300' }, 0],
    [{ 'cache-control': 'private, no-store' }, 0],
    [{ expires: 'Sat, 21 Nov 2026 13:00:00 GMT', date }, 3600],
    [{ expires: date, date }, 0],
    [{ expires: '0', date }, 0],
    [{ expires: 'Sat, 21 Nov 2026 13:00:00 GMT' }, 0],
  ]
  for (const [headers, seconds] of cases) t.equal(freshForSeconds(headers), seconds, JSON.stringify(headers))
})
