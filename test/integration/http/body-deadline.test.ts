import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { build } from '../../helper.js'
import { Browser, hiddenFields } from '../pages/browser.js'

const BODY_MS = 600

/** A request that stays open, and what came back. */
class Slow {
  readonly socket: Socket
  text = ''
  endedAt: number | null = null
  readonly #startedAt = performance.now()

  constructor(app: FastifyInstance, line: string, headers: string[], body = '') {
    const address = app.server.address()
    this.socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1')
    this.socket.setEncoding('latin1')
    this.socket.on('data', chunk => {
      this.text += chunk
    })
    this.socket.on('error', () => {})
    this.socket.on('close', () => {
      this.endedAt = performance.now() - this.#startedAt
    })
    this.socket.write([`${line} HTTP/1.1`, 'Host: localhost', ...headers, '', body].join('\r\n'))
  }

  get status(): number {
    return Number(this.text.slice(9, 12))
  }

  /** Sends a byte from time to time. */
  async drip(ms: number): Promise<void> {
    const until = performance.now() + ms
    while (performance.now() < until && this.endedAt === null) {
      this.socket.write('x')
      await pause(50)
    }
  }
}

t.test('a body that does not arrive in time closes its connection, for every sender and route', async t => {
  const app = await build(t, { bodyMs: BODY_MS })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const form = 'Content-Type: application/x-www-form-urlencoded'
  const json = 'Content-Type: application/json'
  const multipart = 'Content-Type: multipart/form-data; boundary=x'
  const cases: [name: string, line: string, headers: string[], statuses: number[]][] = [
    ['a form', 'POST /login', [form, 'Content-Length: 1000'], [408]],
    ['in chunks', 'POST /oauth/token', [form, 'Transfer-Encoding: chunked'], [400, 408]],
    ['a registration', 'POST /oauth/register', [json, 'Content-Length: 1000'], [408]],
    ['answered before: no token', 'POST /mcp/v1', [json, 'Content-Length: 1000'], [401]],
    ['answered before: nothing there', 'POST /nothing', [json, 'Content-Length: 1000'], [404, 408]],
    ['a GET', 'GET /', ['Content-Length: 1000'], [200, 408]],
    ['an upload without sign-in', 'POST /safes/x/import', [multipart, 'Content-Length: 100000'], [303]],
  ]
  const slow = cases.map(([, line, headers]) => new Slow(app, line, headers))
  await Promise.all(slow.map(one => one.drip(BODY_MS * 5)))
  for (const [i, [name, , , statuses]] of cases.entries()) {
    const { status, endedAt } = slow[i] as Slow
    t.ok(endedAt !== null && endedAt < BODY_MS * 4, `${name}: ended after ${endedAt} ms`)
    t.ok(statuses.includes(status), `${name}: ${status}`)
  }
})

t.test('a body that arrives in time is answered, and its connection stays', async t => {
  const app = await build(t, { bodyMs: BODY_MS })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const ask =
    'POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Type: text/plain\r\n\r\nx'
  const slow = new Slow(app, 'POST /oauth/token', ['Content-Type: text/plain', 'Content-Length: 2'], 'x')
  await pause(BODY_MS / 3)
  slow.socket.write('x')
  await pause(BODY_MS * 2)
  slow.socket.write(ask)
  while (slow.text.split('HTTP/1.1 400').length < 3 && slow.endedAt === null) await pause(10)
  t.equal(slow.endedAt, null)
  slow.socket.destroy()
})

t.test('an upload of an owner may take longer, two at a time per account; other uploads may not', async t => {
  const app = await build(t, { bodyMs: BODY_MS })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const browser = new Browser(app)
  await browser.signIn('ann@a.example')
  const ann = await app.accounts.findByEmail('ann@a.example')
  const safe = await app.safes.create(ann?.id ?? '', 'Home')
  const other = new Browser(app)
  await other.signIn('bob@a.example')
  const action = `/safes/${safe.id}/import`
  const { _csrf = '' } = hiddenFields((await browser.get(action)).body, action)
  const part = (name: string, more = '') =>
    `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  const head = `${part('_csrf')}${_csrf}\r\n${part('file', '; filename="a.txt"')}`
  const rest = `${'Ada knows Bo. '.repeat(10)}\r\n--x--\r\n`
  const upload = (by: Browser) =>
    new Slow(
      app,
      `POST ${action}`,
      [
        `Cookie: ${[...by.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`,
        'Content-Type: multipart/form-data; boundary=x',
        `Content-Length: ${head.length + rest.length}`,
      ],
      head,
    )
  const [one, two] = [upload(browser), upload(browser)]
  await pause(BODY_MS / 2)
  const [third, stranger] = [upload(browser), upload(other)]
  await pause(BODY_MS * 3)
  t.equal(third.status, 429)
  t.match(third.text, /retry-after: 10/i)
  t.equal(stranger.status, 404)
  for (const refused of [third, stranger])
    t.ok(refused.endedAt !== null, 'and their bodies are not waited for')
  for (const slow of [one, two]) {
    t.equal(slow.endedAt, null, 'still on its way')
    slow.socket.write(rest)
    while (!slow.text && slow.endedAt === null) await pause(10)
    t.equal(slow.status, 303)
    slow.socket.end()
    if (slow.endedAt === null) await once(slow.socket, 'close')
  }
  const again = upload(browser)
  again.socket.write(rest)
  while (!again.text && again.endedAt === null) await pause(10)
  t.equal(again.status, 303, 'and then there is room again')
  again.socket.destroy()
})
