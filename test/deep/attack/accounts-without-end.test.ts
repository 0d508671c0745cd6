// Attacks of a member who creates accounts and mail without end, so that limits per account do not help (ADR 47).
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { build, testClock } from '../../helper.js'
import { Browser, PASSWORD } from '../../integration/pages/browser.js'
import { startMailServer } from '../../mail-server.js'
import { refused } from '../../written.js'
import { ANN, signIn, start } from '../openid/openid-browser.js'

const DAY = 24 * 3_600_000

/** A service with an administrator, and Eve, who reads a Safe. */
async function open(t: Test, env: Record<string, string> = {}) {
  const clock = testClock(Date.now())
  // Redis ends keys by its own clock, so that the next day never comes.
  const app = await build(t, { setUp: 'embedded', clock, env })
  const admin = await app.accounts.add('admin@a.example', PASSWORD)
  const eve = await member(app, 'eve@a.example')
  const safe = await app.safes.create(admin.id, 'Harbour')
  await app.safes.members.share(admin.id, safe.id, eve.id, 'reader')
  return { app, clock, admin, eve }
}

/** Somebody who has created a Safe, which anybody may. */
async function member(app: FastifyInstance, email: string) {
  const account = (await app.accounts.findByEmail(email)) ?? (await app.accounts.add(email, PASSWORD))
  const safe = await app.safes.create(account.id, 'Bait')
  return { ...account, safe: { id: safe.id, role: 'reader' as const } }
}

type Member = Awaited<ReturnType<typeof member>>

/** Makes an account with an invitation of `inviter`. @returns the status */
async function makeAccount(app: FastifyInstance, inviter: Member, email: string, isBound = true) {
  const token = await app.accounts.invitations.create(isBound ? email : null, inviter.id, inviter.safe)
  const [page, form] = [`/invite?token=${token}`, { email, password: PASSWORD }]
  const browser = new Browser(app)
  if (isBound) return (await browser.submit(page, '/invite', form)).statusCode
  // The page has no such form: the attacker takes it from another invitation.
  const other = await app.accounts.invitations.create(email, inviter.id, inviter.safe)
  const { body } = await browser.get(`/invite?token=${other}`)
  const csrf = /action="\/invite">\s*<input type="hidden" name="_csrf" value="([^"]*)"/.exec(body)?.[1] ?? ''
  return (await browser.post('/invite', { ...form, token, _csrf: csrf })).statusCode
}

const count = async (app: FastifyInstance) => (await app.accounts.records.list()).length

t.test('an open link into a Safe makes no account', async t => {
  const { app, admin, eve } = await open(t)
  const before = await count(app)
  t.equal(await makeAccount(app, eve, 'x@a.example', false), 403, 'of a member')
  const { id } = await app.safes.create(admin.id, 'Own')
  const own = { ...admin, safe: { id, role: 'reader' as const } }
  t.equal(await makeAccount(app, own, 'x@a.example', false), 403, 'of an administrator')
  t.equal(await count(app), before)
})

t.test('an open link into a Safe makes no account through the provider, and joins who has one', async t => {
  const { app, provider } = await start(t)
  const eve = await member(app, 'eve@example.org')
  const link = async () => `/invite?token=${await app.accounts.invitations.create(null, eve.id, eve.safe)}`
  const page = await link()
  const stranger = await refused(t, app, 'a stranger', () => signIn(new Browser(app), provider, ANN, page))
  t.equal(stranger.statusCode, 403)
  await app.accounts.add('ann@example.org', PASSWORD)
  t.match(await signIn(new Browser(app), provider, ANN, page), {
    headers: { location: `/safes/${eve.safe.id}` },
  })
})

t.test('an open link to the service ends with the rights of its administrator', async t => {
  const { app, eve } = await open(t)
  await app.accounts.setRole(eve.id, 'admin')
  const token = await app.accounts.invitations.create(null, eve.id)
  t.ok(await app.accounts.invitations.find(token))
  await app.accounts.setRole(eve.id, 'member')
  t.equal((await new Browser(app).get(`/invite?token=${token}`)).statusCode, 410)
  await t.rejects(app.accounts.invitations.accept(token, 'x@a.example', PASSWORD), { code: 'link_used' })
})

t.test('ten accounts a day, however many accounts invite', async t => {
  const { app, clock, eve } = await open(t)
  const statuses: number[] = []
  let inviter: Member = eve
  // Each new account invites the next one.
  for (let i = 0; i < 11; i++) {
    statuses.push(await makeAccount(app, inviter, `x${i}@a.example`))
    if (statuses.at(-1) === 303) inviter = await member(app, `x${i}@a.example`)
  }
  t.same(statuses, [...Array(10).fill(303), 429])
  t.equal(await makeAccount(app, eve, 'y@a.example'), 429, 'nor does the first of them')
  const middle = (await app.accounts.findByEmail('x4@a.example'))!
  await app.accounts.remove(middle.id)
  t.equal(await makeAccount(app, inviter, 'y@a.example'), 429, 'nor when one in between is gone')
  await app.accounts.remove(eve.id)
  t.equal(await makeAccount(app, inviter, 'y@a.example'), 429, 'nor when the first is gone')

  const other = await member(app, 'bob@a.example')
  t.equal(await makeAccount(app, other, 'friend@a.example'), 303, 'others are not held up')
  clock.now += DAY
  t.equal(await makeAccount(app, inviter, 'y@a.example'), 303, 'the next day')
})

t.test('ten accounts a day, also at once, and a failure counts as none', async t => {
  const { app, eve } = await open(t)
  const tokens = await Promise.all(
    Array.from({ length: 14 }, (_, i) =>
      app.accounts.invitations.create(`x${i}@a.example`, eve.id, eve.safe),
    ),
  )
  const taken = await app.accounts.invitations.create('admin@a.example', eve.id, eve.safe)
  await t.rejects(app.accounts.invitations.accept(taken, 'admin@a.example', PASSWORD), {
    code: 'email_taken',
  })
  const made = await Promise.allSettled(
    tokens.map((token, i) => app.accounts.invitations.accept(token, `x${i}@a.example`, PASSWORD)),
  )
  t.equal(made.filter(({ status }) => status === 'fulfilled').length, 10)
  t.equal(await count(app), 12)
})

t.test('ten mails a day to strangers, however many accounts invite', async t => {
  const { env, mails } = await startMailServer(t)
  const { app, clock, eve, admin } = await open(t, env)
  const strangers = async () => {
    await app.mail?.idle()
    return mails.splice(0).filter(({ to }) => to[0]?.endsWith('@b.example')).length
  }
  const invite = async ({ email, safe }: Member, to: string) => {
    const browser = new Browser(app)
    await browser.signIn(email)
    const path = `/safes/${safe.id}/share`
    return browser.submit(path, `${path}/invite`, { email: to, role: 'reader' })
  }
  for (let i = 0; i < 6; i++) await invite(eve, `a${i}@b.example`)
  t.equal(await makeAccount(app, eve, 'mallory@a.example'), 303)
  const mallory = await member(app, 'mallory@a.example')
  for (let i = 0; i < 6; i++) await invite(mallory, `b${i}@b.example`)
  t.equal(await strangers(), 10)
  clock.now += DAY
  await invite(mallory, 'c@b.example')
  t.equal(await strangers(), 1, 'the next day')
  const inviter = { id: admin.id, email: admin.email }
  for (let i = 0; i < 12; i++)
    await app.mail?.invite({ to: `d${i}@b.example`, token: 'T', inviter, isIntoSafe: false })
  t.equal(await strangers(), 12, 'administrators have their own limit')
})

t.test('an administrator invites as many as are wanted', async t => {
  const { app, admin } = await open(t)
  for (let i = 0; i < 12; i++) {
    const token = await app.accounts.invitations.create(null, admin.id)
    await app.accounts.invitations.accept(token, `x${i}@a.example`, PASSWORD)
  }
  t.equal(await count(app), 14)
})
