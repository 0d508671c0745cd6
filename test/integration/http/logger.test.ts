import { type AddressInfo, connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { loadConfig } from '../../../plugins/config.js'
import { loggerOptions } from '../../../plugins/logger.js'
import { build, dataDir } from '../../helper.js'

const SECRET = 'Zq7'.repeat(14).concat('x')

/** A log at level trace, by line and as text. */
function collect() {
  const log = {
    text: '',
    write(line: string) {
      log.text += line
    },
    lines: () =>
      log.text
        .split('\n')
        .filter(Boolean)
        .map(line => JSON.parse(line)),
  }
  return log
}

t.test('S1 the log has a request’s method, path and sender, and nothing of its query', async t => {
  const log = collect()
  const app = await build(t, { log })
  const paths = [
    ['/healthz?token=x', undefined],
    [`/setup?token=${SECRET}`, '/setup'],
    [`/oauth/authorize?state=${SECRET}&code_challenge=${SECRET}`, '/oauth/authorize'],
    [`/nowhere?code=${SECRET}`, '/nowhere'],
    [`/%zz?code=${SECRET}`, '/undecodable'],
    [`/oauth/consent/${SECRET}`, '/oauth/consent/[secret]'],
    [`/mcp/v1/svc_at_${'0'.repeat(22)}_${SECRET}`, '/mcp/v1/[secret]'],
    ['/safes/3XkQ0aV7bTn5mWcR9sYdLe', '/safes/3XkQ0aV7bTn5mWcR9sYdLe'],
  ] as const
  for (const [url, path] of paths) {
    log.text = ''
    await app.inject({ url, headers: { cookie: `a=${SECRET}`, authorization: `Bearer ${SECRET}` } })
    const [answered] = log.lines().filter(line => line.req)
    t.same(answered?.req, path && { method: 'GET', path, from: '127.0.0.1' }, url)
    t.notMatch(log.text, SECRET, url)
  }
  log.text = ''
  await app.inject('/nowhere')
  const [line, ...more] = log.lines().filter(line => line.msg.startsWith('request'))
  t.match(line, {
    level: 30,
    reqId: 'req-9',
    res: { statusCode: 404 },
    responseTime: Number,
    msg: 'request completed',
  })
  t.strictSame(more, [], 'one line for each')
})

t.test('S1 the log has an error’s type, code, words, stack and cause, and no other member', async t => {
  const log = collect()
  const { log: logger } = Fastify({ logger: loggerOptions(loadConfig({ DATA_DIR: dataDir(t) }), log) })
  const cause = Object.assign(new TypeError('why'), { body: SECRET })
  const error = Object.assign(new Error('what', { cause }), {
    code: 'E_CODE',
    command: { name: 'set', args: [SECRET] },
    rawPacket: Buffer.from(SECRET),
  })
  logger.error({ err: error }, 'failed')
  logger.error(error)
  logger.error({ err: SECRET }, 'thrown text')
  const [first, second, third] = log.lines()
  for (const { err } of [first, second]) {
    t.match(err, { type: 'Error', code: 'E_CODE', message: 'what', stack: /logger\.test/ })
    t.same(Object.keys(err).sort(), ['cause', 'code', 'message', 'stack', 'type'])
    t.same(Object.keys(err.cause).sort(), ['message', 'stack', 'type'])
  }
  t.match(third.err, { type: 'string' })
  t.notMatch(log.text, SECRET)
})

t.test('S1 a command that Redis refuses is in the log without its arguments', async t => {
  const log = collect()
  const app = await build(t, { setUp: 'redis', log })
  await app.redis?.set('text', 'text')
  const error = await app.redis?.hset('text', 'state', SECRET).catch(error => error)
  t.match(error.command.args, [/:text$/, 'state', SECRET], 'the error holds them')
  app.log.error({ err: error }, 'failed')
  t.match(log.text, 'WRONGTYPE')
  t.notMatch(log.text, SECRET)
})

t.test('S1 malformed HTTP is logged without its bytes', async t => {
  const log = collect()
  const app = await build(t, { log })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const requests: [name: string, text: string, status: string][] = [
    [
      'a malformed header',
      `GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${SECRET}\r\nbad header\r\n\r\n`,
      '400',
    ],
    ['headers that are too long', `GET / HTTP/1.1\r\nCookie: ${SECRET}${'x'.repeat(40_000)}\r\n\r\n`, '431'],
  ]
  for (const [name, text, status] of requests) {
    log.text = ''
    t.match(await send(app, text), `HTTP/1.1 ${status} `, name)
    t.match(log.lines(), [{ err: { code: /^HPE_/ } }], `${name} is in the log`)
    t.notMatch(log.text, SECRET)
    t.notMatch(log.text, Buffer.from(SECRET).join(), `${name}: nor as numbers`)
  }
})

t.test('S1 an upload at level trace leaves no cookie in the log', async t => {
  const log = collect()
  const app = await build(t, { log })
  const account = await app.accounts.add('ann@safes.example', 'a password for the tests')
  const safe = await app.safes.create(account.id, 'Safe')
  const session = await app.loginSessions.begin(account.id)
  await app.inject({
    method: 'POST',
    url: `/safes/${safe.id}/import`,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    cookies: { '__Host-svc_session': session },
    payload: '--x\r\ncontent-disposition: form-data; name="_csrf"\r\n\r\nno\r\n--x--\r\n',
  })
  t.match(log.text, /busboyOptions/, 'the library did log the upload')
  t.notOk(log.text.includes(session))
})

/** Sends text unchanged. Returns the received text. */
function send(app: FastifyInstance, text: string): Promise<string> {
  const [{ port }] = app.addresses() as [AddressInfo]
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', chunk => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', error => (answer ? undefined : reject(error)))
  })
}
