import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SMTPServerOptions } from 'smtp-server'
import t, { type Test } from 'tap'
import { installationTexts } from '../../../domain/doctor/checks/installation-texts.js'
import { build } from '../../helper.js'
import { startMailServer } from '../../mail-server.js'
import { found, installationOf } from './set-up.js'

const m = installationTexts
const refusing = (text: string) => (_address: object, _session: object, done: (error: Error) => void) =>
  done(Object.assign(new Error(text), { responseCode: 550 }))

/** Findings of the mail check with this server. */
async function checkMail(
  t: Test,
  options: SMTPServerOptions,
  mailTo?: string,
  url?: (port: number) => string,
) {
  const { port, mails, env } = await startMailServer(t, options)
  const app = await build(t, { env: { ...env, ...(url && { SMTP_URL: url(port) }) } })
  const findings = await found(installationOf(app, undefined, { mailTo }))
  return { findings: findings.filter(([name]) => name === 'mail'), mails, server: `127.0.0.1:${port}` }
}

t.test('a mail server that takes what it should: a message is sent only when asked for', async t => {
  const silent = await checkMail(t, {})
  t.strictSame([silent.findings, silent.mails], [[], []])
  const { findings, mails } = await checkMail(t, {}, 'you@example.com')
  t.strictSame(findings, [])
  t.match(mails, [{ to: ['you@example.com'], text: /Mail works/ }])
})

t.test('a mail server that refuses the sender, the recipient, the password, or is not there', async t => {
  const sender = await checkMail(t, { onMailFrom: refusing('not yours') }, 'you@example.com')
  t.match(sender.findings, [['mail', 'problem', /refuses the sender safes@safes.example: 550 not yours/]])
  const to = await checkMail(t, { onRcptTo: refusing('no relaying') }, 'you@example.com')
  t.match(to.findings, [['mail', 'problem', /refuses you@example.com: .*no relaying/]])
  t.strictSame([sender.mails, to.mails], [[], []])
  const unreachable = await checkMail(t, {}, undefined, () => 'smtp://127.0.0.1:9')
  t.match(unreachable.findings, [['mail', 'problem', /127.0.0.1:9 cannot be used: .*ECONNREFUSED/]])
  const app = await build(t)
  const none = await found(installationOf(app, undefined, { mailTo: 'you@example.com' }))
  t.match(
    none.filter(([name]) => name === 'mail'),
    [['mail', 'problem', m.mail.none.what]],
  )
})

t.test('an issuer without discovery, or with that of another', async t => {
  let answer = { status: 404, body: '' }
  const server = createServer((_request, response) =>
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise(resolve => server.close(resolve)))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const app = await build(t, {
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'svc', OIDC_CLIENT_SECRET: 'secret' },
  })
  const check = async () =>
    (await found(installationOf(app, undefined))).filter(([name]) => name === 'provider')
  t.match(await check(), [['provider', 'problem', new RegExp(`provider ${issuer} cannot be used`)]])
  answer = { status: 200, body: JSON.stringify({ issuer: 'https://other.example' }) }
  t.match(await check(), [['provider', 'problem', /cannot be used/]])
  answer = { status: 200, body: JSON.stringify({ issuer }) }
  t.strictSame(await check(), [])
})

t.test('a variable that looks like a setting', async t => {
  const app = await build(t, { env: { TRUST_PROXYS: 'loopback' } })
  const findings = await found(installationOf(app, undefined, { unknownSettings: app.config.unknown }))
  t.match(
    findings.filter(([name]) => name === 'settings'),
    [['settings', 'warning', /Did you mean TRUST_PROXY/]],
  )
})
