import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import type { OpenIdIdentity } from '../../../domain/accounts/openid/identity.js'
import { OpenIdProvider } from '../../../domain/accounts/openid/provider.js'
import { OpenIdIdentityStore } from '../../../domain/accounts/stores/openid-identity.sql.js'
import { random } from '../../../platform/common/secrets.js'
import { build } from '../../helper.js'
import { PASSWORD } from '../pages/browser.js'

// After the provider has identified a person, or fails; test/deep/openid uses a real one.

const ANN = { issuer: 'https://id.example', subject: 'ann-1', email: 'ann@example.org', groups: [] }
const NEW = 'signed-in-new 192.0.2.7, with id.example'

/** The service with an administrator, and a provider that is never contacted. */
async function open(t: Test, rules: Record<string, string> = { OIDC_ALLOWED_DOMAINS: 'example.org' }) {
  const env = { OIDC_ISSUER: ANN.issuer, OIDC_CLIENT_ID: 'svc', OIDC_CLIENT_SECRET: 'secret', ...rules }
  const app = await build(t, { env })
  const admin = await app.accounts.add('admin@example.org', PASSWORD)
  const signIn = (knownAccountId: string | null = null, identity: OpenIdIdentity = ANN) =>
    app.providerSignIn!.accountOf(identity, '192.0.2.7', knownAccountId)
  /** The events of an account, newest first. */
  const kindsOf = async (accountId: string) => {
    await app.activity.flush()
    const { entries } = await app.activity.ofAccount(accountId, { limit: 20 })
    return entries.map(({ kind, detail }) => (kind === 'signed-in-new' ? `${kind} ${detail}` : kind))
  }
  return { app, admin, signIn, kindsOf }
}

/**
 * A provider on loopback that returns `answer` at a path, and otherwise its metadata. With `late`, requests end without
 * an answer.
 */
async function failingProvider(t: Test) {
  const state = {
    path: '',
    answer: (response: ServerResponse): unknown => response.end(),
    late: new AbortController(),
  }
  t.capture(AbortSignal, 'timeout', () => state.late.signal)
  const server = createServer((request, response) => {
    response.shouldKeepAlive = false
    if (request.url === state.path) return state.answer(response)
    const issuer = `http://${request.headers.host}`
    const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` }
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ issuer, ...endpoints }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, state }
}

t.test('an account that the provider makes is told apart from one that is linked to it', async t => {
  const { signIn, kindsOf } = await open(t)
  const { account, isClaimed } = await signIn()
  t.match([account.email, account.role, isClaimed], ['ann@example.org', 'member', false])
  t.same(await signIn(account.id), { account, isClaimed: false })
  t.strictSame(await kindsOf(account.id), ['signed-in', NEW])
})

t.test('an account whose address was proven is linked, and keeps its password (ADR 64)', async t => {
  const { app, signIn, kindsOf } = await open(t)
  const ann = await app.accounts.add(ANN.email, PASSWORD)
  t.same(await signIn(), { account: ann, isClaimed: false })
  t.ok(await app.accounts.passwords.signIn(ANN.email, PASSWORD, '192.0.2.7'))
  t.strictSame(await kindsOf(ann.id), ['signed-in-new 192.0.2.7', NEW, 'identity-linked'])
})

t.test('an account whose address was never proven is claimed, which ends its uses (ADR 64)', async t => {
  const { app, admin, signIn, kindsOf } = await open(t)
  const { invitations, passwords } = app.accounts
  const ann = await invitations.accept(await invitations.create(null, admin.id), ANN.email, PASSWORD)
  const ended: string[] = []
  app.accounts.onClaim(async accountId => void ended.push(accountId))
  t.same(await signIn(), { account: ann, isClaimed: true })
  t.same(ended, [ann.id, ann.id], 'before it is claimed and after')
  t.equal(await passwords.signIn(ANN.email, PASSWORD, '192.0.2.7'), null)
  const [failed, ...kinds] = await kindsOf(ann.id)
  t.equal(failed, 'sign-in-failed')
  t.strictSame(kinds, [NEW, 'password-removed', 'identity-linked'])

  const email = 'bo@example.org'
  const bo = await invitations.accept(await invitations.create(null, admin.id), email, PASSWORD)
  const none = { password_hash: '' }
  await app.database.write(trx => trx.updateTable('accounts').set(none).where('id', '=', bo.id).execute())
  t.match(await signIn(null, { ...ANN, subject: 'bo-1', email }), { isClaimed: true })
  t.strictSame(await kindsOf(bo.id), [NEW, 'identity-linked'], 'it had no password')
})

t.test('an invited person has the identity that accepted, and may forget another one only', async t => {
  const { app, admin, kindsOf } = await open(t)
  const { invitations, passwords } = app.accounts
  const token = await invitations.create(ANN.email, admin.id)
  const { account } = await app.providerSignIn!.accept(token, ANN, '192.0.2.7', null)
  t.same(await app.providerSignIn!.issuersOf(account.id), [ANN.issuer])
  await passwords.set(account.id, PASSWORD)
  await t.rejects(app.providerSignIn!.unlink(account.id, 'https://other.example'), {
    message: 'There is no such sign-in.',
  })
  await app.providerSignIn!.unlink(account.id, ANN.issuer)
  t.same(await app.providerSignIn!.issuersOf(account.id), [])
  t.strictSame(await kindsOf(account.id), ['identity-unlinked', 'password-changed'])
})

t.test('a refusal says whether the address was not verified, or who it is may not sign in', async t => {
  const unknown = { ...ANN, email: null }
  for (const [rules, identity, code] of [
    [{ OIDC_ALLOWED_DOMAINS: 'example.org' }, unknown, 'unverified_email'],
    [{ OIDC_ALLOWED_DOMAINS: 'other.example' }, ANN, 'not_allowed'],
    [{ OIDC_ALLOWED_GROUPS: 'staff' }, unknown, 'not_allowed'],
  ] as const) {
    const { app } = await open(t, rules)
    t.capture(OpenIdProvider.prototype, 'finish', async () => identity)
    await t.rejects(app.providerSignIn!.complete({ id: 'begun' } as never, '', '192.0.2.7'), { code })
  }
  const { app, signIn } = await open(t, { OIDC_ALLOWED_GROUPS: 'staff' })
  await t.rejects(signIn(null, { ...ANN, email: null }), { code: 'unverified_email' })
  t.equal((await app.accounts.records.list()).length, 1, 'no account without an address')
})

t.test('a provider that does not answer, or is at fault, is told from a wrong answer', async t => {
  const { port, state } = await failingProvider(t)
  const says = (status: number, type = 'application/json') => {
    return (response: ServerResponse) => response.writeHead(status, { 'content-type': type }).end('{}')
  }
  const isLate = () => state.late.abort(new DOMException('', 'TimeoutError'))
  const half = (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/json' }).write('{', () => setTimeout(isLate, 50))
  const challenge = (status: number) => (response: ServerResponse) =>
    response.writeHead(status, { 'www-authenticate': 'Basic realm="provider"' }).end()
  const failures: [name: string, answer: (response: ServerResponse) => unknown, code: string][] = [
    ['a fault', says(500), 'provider_unreachable'],
    ['a gateway without the provider', says(502, 'text/html'), 'provider_unreachable'],
    ['a gateway that asks who comes', challenge(503), 'provider_unreachable'],
    ['a connection that is cut', response => response.destroy(), 'provider_unreachable'],
    ['no answer in time', isLate, 'provider_unreachable'],
    ['half an answer in time', half, 'provider_unreachable'],
    ['a refusal', says(400), 'provider_answer'],
    ['a wrong secret', challenge(401), 'provider_answer'],
    ['no such page', says(404), 'provider_answer'],
    ['another type', says(200, 'text/html'), 'provider_answer'],
    ['nothing in it', says(200), 'provider_answer'],
  ]
  for (const path of ['/.well-known/openid-configuration', '/token'])
    for (const [name, answer, code] of failures) {
      Object.assign(state, { path, answer, late: new AbortController() })
      const rules = { domains: [], groups: [] }
      const reasons: Error[] = []
      const provider = new OpenIdProvider({
        settings: { issuer: `http://127.0.0.1:${port}`, clientId: 'svc', clientSecret: 'secret', ...rules },
        redirectUri: 'https://safes.example/login/callback',
        clock: Date.now,
        random,
        onFailure: error => reasons.push(error),
      })
      const signIn = async () => {
        const { secrets } = await provider.begin()
        await provider.finish(`code=c&state=${secrets.state}`, secrets)
      }
      await t.rejects(signIn(), { code }, `${path}: ${name}`)
      t.equal(reasons.length, 1, 'the log has the reason')
    }
})

t.test('the account that an identity makes is the one that it finds', async t => {
  const { app } = await open(t)
  const store = new OpenIdIdentityStore(app.database)
  const account = { id: 'ann', email: ANN.email, role: 'member' as const, passwordHash: '', createdAt: 5 }
  const origin = { isEmailProven: true, isProviderOnly: true }
  const made = await store.link(ANN, ANN.email, 5, { ...account, ...origin })
  const found = await store.find(ANN)
  t.match(found, account)
  t.strictSame(made, { outcome: 'created', account: found })
  t.strictSame(await store.link(ANN, ANN.email, 6, null), { outcome: 'found', account: found })
  const other = { ...ANN, subject: 'ann-2' }
  t.strictSame(await store.link(other, ANN.email, 6, null), { outcome: 'other-identity' })
  t.strictSame(await store.link(other, 'bo@example.org', 6, null), { outcome: 'no-account' })
})
