import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { mock } from 'node:test'
import { setImmediate as turnEnd } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { BODY_MS } from '../../../plugins/body-deadline.js'
import { build } from '../../helper.js'
import { Browser, hiddenFields } from '../pages/browser.js'

/** A service whose intervals pass when the test triggers them. */
async function open(t: Test) {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const app = await build(t)
  let requests = 0
  app.server.on('request', () => requests++)
  await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    app,
    pass: (ms: number) => mock.timers.tick(ms),
    /** Resolves when `count` requests have begun to arrive and the plugin has seen them. */
    async arrived(count: number) {
      while (requests < count) await turnEnd()
      await turnEnd()
    },
  }
}

/** A request that stays open, and the bytes received so far. */
class Slow {
  readonly socket: Socket
  readonly closed: Promise<unknown>
  text = ''

  constructor(app: FastifyInstance, line: string, headers: string[], body = '') {
    const address = app.server.address()
    this.socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1')
    this.socket.setEncoding('latin1')
    this.socket.on('data', chunk => {
      this.text += chunk
    })
    this.socket.on('error', () => {})
    this.closed = once(this.socket, 'close')
    this.socket.write([`${line} HTTP/1.1`, 'Host: localhost', ...headers, '', body].join('\r\n'))
  }

  get status(): number {
    return Number(this.text.slice(9, 12))
  }

  /** Resolves when this many answers have begun. */
  async answers(count = 1): Promise<void> {
    while (this.text.split('HTTP/1.1 ').length <= count) await once(this.socket, 'data')
  }
}

t.test('a body that does not arrive in time closes its connection, for every sender and route', async t => {
  const { app, pass, arrived } = await open(t)
  const form = 'Content-Type: application/x-www-form-urlencoded'
  const json = 'Content-Type: application/json'
  const multipart = 'Content-Type: multipart/form-data; boundary=x'
  const cases: [name: string, line: string, headers: string[], status: number][] = [
    ['a form', 'POST /login', [form, 'Content-Length: 1000'], 408],
    ['in chunks', 'POST /oauth/token', [form, 'Transfer-Encoding: chunked'], 408],
    ['a registration', 'POST /oauth/register', [json, 'Content-Length: 1000'], 408],
    ['answered before: no token', 'POST /mcp/v1', [json, 'Content-Length: 1000'], 401],
    ['an upload without sign-in', 'POST /safes/x/import', [multipart, 'Content-Length: 100000'], 303],
  ]
  const slow = cases.map(([, line, headers]) => new Slow(app, line, headers))
  await arrived(cases.length)
  pass(BODY_MS)
  for (const [i, [name, , , status]] of cases.entries()) {
    const one = slow[i] as Slow
    if (status !== 408) await one.answers()
    t.equal(one.socket.closed, false, `${name}: not too early`)
  }
  pass(BODY_MS)
  for (const [i, [name, , , status]] of cases.entries()) {
    const one = slow[i] as Slow
    await one.closed
    t.equal(one.status, status, name)
  }
})

t.test('a body that arrives in time is answered, and its connection stays', async t => {
  const { app, pass, arrived } = await open(t)
  const type = 'Content-Type: application/x-www-form-urlencoded'
  const slow = new Slow(app, 'POST /oauth/token', [type, 'Content-Length: 2'], 'x')
  await arrived(1)
  pass(BODY_MS / 3)
  slow.socket.write('x')
  await slow.answers()
  pass(BODY_MS * 3)
  slow.socket.write(`POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n${type}\r\n\r\nx`)
  await slow.answers(2)
  t.notMatch(slow.text, 'HTTP/1.1 408')
  slow.socket.destroy()
})

t.test('an upload of an owner may take longer, two at a time per account; other uploads may not', async t => {
  const { app, pass } = await open(t)
  let allowed = 0
  const { allowSlowBody } = app
  app.allowSlowBody = request => {
    allowed++
    allowSlowBody(request)
  }
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
  const upload = (by: Browser) => {
    const cookies = [...by.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const type = 'Content-Type: multipart/form-data; boundary=x'
    const length = `Content-Length: ${head.length + rest.length}`
    return new Slow(app, `POST ${action}`, [`Cookie: ${cookies}`, type, length], head)
  }
  const [one, two] = [upload(browser), upload(browser)]
  while (allowed < 2) await turnEnd()
  const [third, stranger] = [upload(browser), upload(other)]
  await Promise.all([third.answers(), stranger.answers()])
  t.equal(third.status, 429)
  t.match(third.text, /retry-after: 10/i)
  t.equal(stranger.status, 404)
  pass(BODY_MS * 3)
  await Promise.all([third.closed, stranger.closed])
  for (const slow of [one, two]) {
    t.equal(slow.text, '', 'still on its way')
    slow.socket.write(rest)
    await slow.answers()
    t.equal(slow.status, 303)
    slow.socket.end()
    await slow.closed
  }
  const again = upload(browser)
  again.socket.write(rest)
  await again.answers()
  t.equal(again.status, 303, 'and then there is room again')
  again.socket.destroy()
})
