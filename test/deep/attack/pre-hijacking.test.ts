// Attacks on people without an account: somebody creates it for them, with their address, and waits (ADR 64).
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { Authenticator } from '../../integration/accounts/authenticator.js'
import { addPasskey, signInWithPasskey } from '../../integration/accounts/passkey-browser.js'
import { Browser, PASSWORD } from '../../integration/pages/browser.js'
import { ANN, signIn, start } from '../openid/openid-browser.js'

const EMAIL = 'ann@example.org'

/** The ways into an account that the person who created it still has. */
async function waysIn(app: FastifyInstance, page: string) {
  const browser = new Browser(app)
  const made = await browser.submit(page, '/invite', { email: EMAIL, password: PASSWORD })
  if (made.statusCode !== 303) throw new Error(`${made.statusCode}: ${made.body}`)
  const account = (await app.accounts.findByEmail(EMAIL))!
  const passkey = new Authenticator()
  await addPasskey(browser, passkey)
  const { accessToken } = await app.oauth.issueTokens(account.id, { clientName: 'Claude', days: 90 })
  const reset = await app.accounts.passwords.createResetToken(account.id)
  const safe = await app.safes.create(account.id, 'Notes')
  const invitation = await app.accounts.invitations.create(null, account.id, { id: safe.id, role: 'owner' })
  const mcp = {
    method: 'POST' as const,
    url: '/mcp/v1',
    headers: { authorization: `Bearer ${accessToken}`, 'mcp-protocol-version': '2025-06-18' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  }
  const ways: Record<string, () => Promise<boolean>> = {
    password: async () => (await new Browser(app).signIn(EMAIL)).statusCode === 303,
    session: async () => (await browser.get('/account')).statusCode === 200,
    passkey: async () => (await signInWithPasskey(new Browser(app), passkey)).statusCode === 303,
    connection: async () => (await app.inject(mcp)).statusCode === 200,
    'reset link': async () => (await new Browser(app).get(`/reset?token=${reset}`)).statusCode === 200,
    invitation: async () => (await new Browser(app).get(`/invite?token=${invitation}`)).statusCode === 200,
  }
  return async () => {
    const open: string[] = []
    for (const [name, works] of Object.entries(ways)) if (await works()) open.push(name)
    return open
  }
}

const ALL = ['password', 'session', 'passkey', 'connection', 'reset link', 'invitation']

/** A service with an administrator and a member, Eve, who owns a Safe. */
async function open(t: Test) {
  const { app, provider } = await start(t)
  const admin = (await app.accounts.findByEmail('admin@example.org'))!
  const eve = await app.accounts.add('eve@example.org', PASSWORD)
  const safe = await app.safes.create(eve.id, 'Bait')
  return { app, provider, admin, eve, safe: { id: safe.id, role: 'reader' as const } }
}

type World = Awaited<ReturnType<typeof open>>

/** Who can create an account for another person's address, and what they can still do after its owner has signed in. */
const MADE: [name: string, link: (world: World) => Promise<string>, left: string[]][] = [
  [
    'an open invitation of an administrator',
    ({ app, admin }) => app.accounts.invitations.create(null, admin.id),
    [],
  ],
  [
    'an invitation that a member bound to the address and used herself',
    ({ app, eve, safe }) => app.accounts.invitations.create(EMAIL, eve.id, safe),
    [],
  ],
  [
    'an invitation that an administrator bound to the address',
    ({ app, admin }) => app.accounts.invitations.create(EMAIL, admin.id),
    ALL,
  ],
]

for (const [name, link, left] of MADE)
  t.test(`${name}: ${left.length > 0 ? 'everything stays' : 'nothing is left of it'}`, async t => {
    const world = await open(t)
    const { app, provider } = world
    const stillOpen = await waysIn(app, `/invite?token=${await link(world)}`)
    t.same(await stillOpen(), ALL, 'before')

    const ann = new Browser(app)
    const came = await signIn(ann, provider, ANN)
    t.same(await stillOpen(), left, 'after')
    if (left.length > 0) return t.match(came, { statusCode: 303, headers: { location: '/' } })
    t.equal(came.statusCode, 200, 'the next page says so')
    t.match(came.body, /its password and its passkeys[\s\S]*href="\/"/)
    t.equal((await ann.get('/account')).statusCode, 200, 'Ann is signed in')
    t.match((await ann.get('/connections')).body, 'before the e-mail address of the account was verified')
    t.match(await signIn(new Browser(app), provider, ANN), { statusCode: 303 }, 'said once')
  })

t.test('a mailed link proves the address, a link that an administrator made does not', async t => {
  for (const isMailed of [true, false]) {
    const { app, provider, admin } = await open(t)
    const token = await app.accounts.invitations.create(null, admin.id)
    const account = await app.accounts.invitations.accept(token, EMAIL, PASSWORD)
    const reset = isMailed
      ? await app.accounts.passwords.createResetToken(account.id, 1, account.email)
      : await app.accounts.passwords.createResetToken(account.id)
    await app.accounts.passwords.reset(reset, `new ${PASSWORD}`)
    await signIn(new Browser(app), provider, ANN)
    t.equal(await app.accounts.passwords.has(account.id), isMailed)
  }
})

t.test('who has another identity at the provider claims nothing', async t => {
  const { app, provider, admin } = await open(t)
  const token = await app.accounts.invitations.create(null, admin.id)
  const { id } = await app.accounts.invitations.accept(token, EMAIL, PASSWORD)
  await signIn(new Browser(app), provider, ANN)
  await app.database.write(trx => trx.updateTable('accounts').set({ email_proven: 0 }).execute())
  await app.oauth.issueTokens(id, { clientName: 'Claude' })
  t.equal((await signIn(new Browser(app), provider, { ...ANN, sub: 'ann-2' })).statusCode, 409)
  t.match(await app.oauth.connections.listFor(id), [{ ended: false }], 'connections go on')
})
