import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SMTPServerOptions } from 'smtp-server'
import t from 'tap'
import { describeFailure, isPermanent, smtpSender } from '../../../domain/mail/smtp.js'
import { parseSmtpUrl } from '../../../domain/mail/smtp-url.js'
import { freePort } from '../../free-port.js'
import { startMailServer } from '../../mail-server.js'
import { words } from '../../words.js'
import { makeTls } from '../redis/servers.js'

const mail = { to: 'ann@example.org', subject: 'A subject', text: 'Text\n' }

const senderTo = (url: string) =>
  smtpSender({
    server: parseSmtpUrl(url),
    from: { name: 'Our Safes', address: 'safes@safes.example' },
    name: 'safes.example',
  })

/** How sending a message fails. */
const failureAt = (url: string, signal = AbortSignal.timeout(20_000)) =>
  senderTo(url)(mail, signal).then(
    () => null,
    error => ({ ...describeFailure(error), isPermanent: isPermanent(error) }),
  )

t.test('a message arrives as it was written, from the service, to one address', async t => {
  const { port, mails } = await startMailServer(t)
  const text = `${'A long line. '.repeat(50)}\n燈台守 = “quoted”\n.\nhttps://safes.example/reset?token=${'T'.repeat(43)}\n`
  const hostile = { to: 'ann@example.org', subject: 'Line\r\nBcc: eve@example.org\r\n\r\nBody', text }
  await senderTo(`smtp://127.0.0.1:${port}`)(hostile, AbortSignal.timeout(20_000))
  const [received] = mails
  t.same(received?.to, ['ann@example.org'])
  t.equal(received?.text.trimEnd(), text.trimEnd())
  t.equal(received?.headers.has('bcc'), false, 'no header can be injected')
  t.equal(received?.headers.get('from'), 'Our Safes <safes@safes.example>')
  t.equal(received?.headers.get('auto-submitted'), 'auto-generated', 'RFC 3834 §5')
  t.match(received?.headers.get('content-type'), /^text\/plain/)
  t.match(received?.headers.get('message-id'), /@safes\.example>$/)
})

t.test('a password is sent over TLS only, to a server with a valid certificate', async t => {
  const { caFile } = makeTls(t, 'DNS:localhost')
  const pem = (name: string) => readFileSync(join(caFile, '..', name))
  const certificate = { key: pem('redis.key'), cert: pem('redis.crt') }
  const passwords: unknown[] = []
  const onAuth: SMTPServerOptions['onAuth'] = ({ username, password }, session, done) => {
    passwords.push([username, password, session.secure])
    const isRight = password === 'pass word'
    done(isRight ? null : Object.assign(new Error('wrong'), { responseCode: 535 }), { user: username })
  }
  const auth = { authOptional: false, onAuth }
  const startTls = await startMailServer(t, { ...certificate, ...auth })
  const tls = await startMailServer(t, { ...certificate, ...auth, secure: true })
  const plain = await startMailServer(t, { ...auth, allowInsecureAuth: true })
  const [known, strangers] = await Promise.all([
    send(
      words(`
        smtp://me:pass%20word@localhost:${startTls.port} smtps://me:pass%20word@localhost:${tls.port}
        smtps://me:another@localhost:${tls.port} smtp://me:pass%20word@127.0.0.1:${startTls.port}
        smtp://me:pass%20word@localhost:${plain.port}
      `),
      { NODE_EXTRA_CA_CERTS: caFile },
    ),
    send([
      `smtp://me:pass%20word@localhost:${startTls.port}`,
      `smtps://me:pass%20word@localhost:${tls.port}`,
      `smtps://localhost:${tls.port}`,
    ]),
  ])
  t.match(known, ['sent', 'sent', { code: 'EAUTH', responseCode: 535 }, { code: /^E/ }, { code: 'ETLS' }])
  t.ok(
    strangers?.every(outcome => outcome !== 'sent'),
    'a certificate of an unknown issuer',
  )
  t.same(passwords, [
    ['me', 'pass word', true],
    ['me', 'pass word', true],
    ['me', 'another', true],
  ])
  t.equal(plain.mails.length, 0)
})

t.test('without a password, TLS is used where there is some (RFC 7435)', async t => {
  const { caFile } = makeTls(t, 'DNS:localhost')
  const pem = (name: string) => readFileSync(join(caFile, '..', name))
  const { port, mails } = await startMailServer(t, { key: pem('redis.key'), cert: pem('redis.crt') })
  t.equal(await failureAt(`smtp://127.0.0.1:${port}`), null, 'with any certificate')
  t.equal(mails[0]?.isSecure, true)
})

t.test('an unreachable, a refusing and a silent server are failures', async t => {
  t.match(await failureAt(`smtp://127.0.0.1:${await freePort()}`), { code: /^E/, isPermanent: false })
  const refusing = await startMailServer(t, {
    onRcptTo: (_address, _session, done) =>
      done(Object.assign(new Error('ann@example.org is unknown'), { responseCode: 550 })),
  })
  const refused = await failureAt(`smtp://127.0.0.1:${refusing.port}`)
  t.match(refused, { responseCode: 550, isPermanent: true })
  t.notMatch(JSON.stringify(refused), 'ann@', 'what the server says is not logged')
  const later = await startMailServer(t, {
    onMailFrom: (_address, _session, done) => done(Object.assign(new Error('later'), { responseCode: 451 })),
  })
  t.match(await failureAt(`smtp://127.0.0.1:${later.port}`), { responseCode: 451, isPermanent: false })

  const sockets: Socket[] = []
  const stopped = new AbortController()
  const silent = createServer(socket => {
    sockets.push(socket)
    stopped.abort()
  }).listen(0, '127.0.0.1')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  t.match(await failureAt(`smtp://127.0.0.1:${port}`, stopped.signal), { isPermanent: false }, 'given up')
  const [socket] = sockets
  if (socket && !socket.closed) await once(socket.resume(), 'close')
  t.pass('the connection is closed')
})

/** In a process of its own, because Node reads NODE_EXTRA_CA_CERTS when it starts. */
async function send(urls: string[], env: Record<string, string> = {}): Promise<unknown[]> {
  const child = fork(fileURLToPath(new URL('send.js', import.meta.url)), urls, {
    env: { PATH: process.env.PATH, ...env },
  })
  const [outcomes] = await once(child, 'message')
  return outcomes
}
