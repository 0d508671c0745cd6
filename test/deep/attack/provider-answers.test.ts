// Attacks on the answers of the OpenID provider: by somebody between the service and the provider, and providers that
// are careless about addresses (ADR 64).
import { createHmac, generateKeyPairSync } from 'node:crypto'
import t from 'tap'
import { Browser } from '../../integration/pages/browser.js'
import { refused } from '../../written.js'
import { ANN, message, signIn, start } from '../openid/openid-browser.js'
import { type Person, type Rewrite, signToken } from '../openid/openid-provider.js'

const RULES = { OIDC_ALLOWED_DOMAINS: 'example.org' }
const SECRET = 'a secret of 32 characters at least'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString())

/** Changes the ID token of each answer that has one. */
const rewriteToken =
  (change: (header: object, claims: object, token: string) => string): Rewrite =>
  (_path, body) => {
    if (typeof body.id_token !== 'string') return body
    const [header, claims] = body.id_token.split('.')
    return { ...body, id_token: change(decode(header), decode(claims), body.id_token) }
  }

/** Eve signs in as herself, and the answer claims that she is Ann. */
const as = (claims: object) => ({ ...claims, sub: 'ann-1', email: 'ann@example.org', email_verified: true })

const FORGED: Record<string, Rewrite> = {
  'claims are changed': rewriteToken((header, claims, token) =>
    [encode(header), encode(as(claims)), token.split('.')[2]].join('.'),
  ),
  'signed with another key': rewriteToken((header, claims) => signToken(header, as(claims), privateKey)),
  'signed with a key that the token names': rewriteToken((header, claims) =>
    signToken({ ...header, kid: undefined, jku: 'https://evil.example/keys' }, as(claims), privateKey),
  ),
  'alg is none': rewriteToken((_header, claims) => `${encode({ alg: 'none' })}.${encode(as(claims))}.`),
  'alg is HS256 with the client secret': rewriteToken((_header, claims) => {
    const content = `${encode({ alg: 'HS256' })}.${encode(as(claims))}`
    return `${content}.${createHmac('sha256', SECRET).update(content).digest('base64url')}`
  }),
  'the signature is cut off': rewriteToken((header, claims) => `${encode(header)}.${encode(claims)}.`),
}

t.test(
  'an ID token counts only with the signature of the provider (OpenID Connect Core §3.1.3.7)',
  async t => {
    const { app, provider, clock } = await start(t, RULES)
    t.equal((await signIn(new Browser(app), provider, ANN)).statusCode, 303)
    const eve: Person = { sub: 'eve-1', email: 'eve@example.org', email_verified: true }
    for (const [name, rewrite] of Object.entries(FORGED)) {
      // Failed attempts of an address are limited.
      clock.now += 15 * 60_000
      provider.state.rewrite = rewrite
      const browser = new Browser(app)
      const answer = await refused(t, app, name, () => signIn(browser, provider, eve))
      t.equal(answer.statusCode, 403, name)
      t.match(message(answer.body), /could not be completed/, name)
      t.equal(browser.cookies.has('__Host-svc_session'), false, name)
    }
    provider.state.rewrite = null
    t.equal((await signIn(new Browser(app), provider, eve)).statusCode, 303, 'as it was signed')
  },
)

/** Claims from the UserInfo endpoint and from the ID token: neither alone verifies Ann's address. */
const MIXED: [name: string, token: object, userInfo: object][] = [
  ['verified elsewhere', { email: 'ann@example.org' }, { email: 'eve@example.net', email_verified: true }],
  ['verified without an address', { email: 'ann@example.org' }, { email_verified: true }],
  ['address without a word', { email_verified: true }, { email: 'ann@example.org' }],
  [
    'the ID token says no',
    { email: 'ann@example.org', email_verified: false },
    { email: 'ann@example.org', email_verified: true },
  ],
]

t.test('an address and its verification come from the same source', async t => {
  const { app, provider, clock } = await start(t, { ...RULES, OIDC_ALLOWED_GROUPS: 'staff' })
  const eve = { sub: 'eve-1', groups: ['staff'] }
  /** A provider that signs these claims. */
  const says = (token: object, userInfo: object) => {
    const inToken = rewriteToken((header, claims) => signToken(header, { ...claims, ...token }))
    provider.state.rewrite = (path, body) => (path === '/me' ? { ...eve, ...userInfo } : inToken(path, body))
    return signIn(new Browser(app), provider, eve)
  }
  for (const [name, token, userInfo] of MIXED) {
    clock.now += 15 * 60_000
    const answer = await refused(t, app, name, () => says(token, userInfo))
    t.equal(answer.statusCode, 403, name)
    t.match(message(answer.body), /has not verified your e-mail address/, name)
  }
  t.equal(await app.accounts.findByEmail('ann@example.org'), null)
  clock.now += 15 * 60_000
  const own = { email: 'eve@example.org', email_verified: true }
  t.equal((await says({}, own)).statusCode, 303, 'both from the UserInfo endpoint')
  t.ok(await app.accounts.findByEmail('eve@example.org'))
})

t.test('an empty subject is refused', async t => {
  const { app, provider } = await start(t, RULES)
  const withoutSubject = { sub: '', email: 'eve@example.org', email_verified: true }
  provider.state.rewrite = rewriteToken((header, claims) =>
    signToken(header, { ...claims, ...withoutSubject }),
  )
  const answer = await refused(t, app, 'empty', () => signIn(new Browser(app), provider, ANN))
  t.equal(answer.statusCode, 403)
  t.match(message(answer.body), /could not be completed/)
})
