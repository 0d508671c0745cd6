import t, { type Test } from 'tap'
import { accountTexts } from '../../../views/texts/account.js'
import { safesTexts } from '../../../views/texts/safes.js'
import { build, testClock } from '../../helper.js'
import { Browser, hiddenFields, PASSWORD } from './browser.js'
import { signedIn } from './open.js'

const DAY = 24 * 3_600_000

/** Ann, who owns a Safe; Bob, who reads it; Eve, who does not. */
async function open(t: Test) {
  const clock = testClock(Date.now())
  const app = await build(t, { clock })
  await app.accounts.add('admin@a.example', PASSWORD)
  const [ann, bob, eve] = [
    await signedIn(app, 'ann@a.example'),
    await signedIn(app, 'bob@a.example'),
    await signedIn(app, 'eve@a.example'),
  ]
  const safe = await app.safes.create(ann.id, 'Harbour <b>')
  await app.safes.members.share(ann.id, safe.id, bob.id, 'reader')
  const path = `/safes/${safe.id}/share`
  /** Invites as Ann. Returns the link and the page. */
  const invite = async (fields: { email?: string; role?: string } = {}) => {
    const { body } = await ann.browser.submit(path, `${path}/invite`, {
      email: '',
      role: 'reader',
      ...fields,
    })
    return { link: /https:\/\/safes\.example(\/invite\?token=\w{43})"/.exec(body)?.[1] ?? '', body }
  }
  const roles = async () =>
    Object.fromEntries(
      (await app.safes.members.people(ann.id, safe.id)).map(({ email, role }) => [email, role]),
    )
  return { app, clock, ann, bob, eve, safe, path, invite, roles }
}

const invitationOf = (body: string) => /\/invitations\/([\w-]+)\/revoke"/.exec(body)?.[1] ?? ''

t.test(
  'a link for an address makes an account and a member; it works once, and shows who invited',
  async t => {
    const { app, invite, ann, path, safe, roles } = await open(t)
    const { link, body } = await invite({ email: 'cleo@a.example', role: 'owner' })
    t.ok(body.includes('Harbour &lt;b&gt;') && body.includes('cleo@a.example'))
    t.notMatch((await ann.browser.get(path)).body, link.split('=')[1] ?? '?', 'shown once')
    const cleo = new Browser(app)
    const page = await cleo.get(link)
    t.ok(page.body.includes('ann@a.example invites you to the Safe “Harbour &lt;b&gt;”.'))
    const joined = await cleo.submit(link, '/invite', { email: 'cleo@a.example', password: PASSWORD })
    t.match(joined, { statusCode: 303, headers: { location: `/safes/${safe.id}` } })
    t.equal((await cleo.get(path)).statusCode, 200, 'she is an owner')
    t.match(await roles(), { 'cleo@a.example': 'owner' })
    const list = (await ann.browser.get(path)).body
    t.ok(list.includes('invited by ann@a.example') && !list.includes(safesTexts.share.pending))
    t.equal((await new Browser(app).get(link)).statusCode, 410)
  },
)

t.test('an open link is for people who have an account', async t => {
  const { app, invite, eve, roles } = await open(t)
  const { link, body } = await invite()
  t.ok(body.includes(safesTexts.share.anybody))
  const { body: page } = await new Browser(app).get(link)
  t.ok(page.includes(accountTexts.invite.onlyExisting) && page.includes('action="/invite/sign-in"'))
  t.notMatch(page, 'action="/invite"')
  t.equal((await eve.browser.submit(link, '/invite/join')).statusCode, 303)
  t.match(await roles(), { 'eve@a.example': 'reader' })
})

t.test('inviting an address shows nothing about whether it has an account', async t => {
  const { invite, roles } = await open(t)
  const [known, unknown] = [
    await invite({ email: 'eve@a.example' }),
    await invite({ email: 'eva@a.example' }),
  ]
  // News may appear above it meanwhile.
  const masked = ({ body }: { body: string }) =>
    body
      .slice(body.indexOf('<main'))
      .replace(/(?:eve|eva)@a\.example/g, 'e')
      .replace(/[\w-]{22,}/g, 'x')
  const [first, second] = [masked(known), masked(unknown)].map(body => body.split('id="pending"')[0])
  t.equal(first, second)
  t.notOk('eve@a.example' in (await roles()), 'nobody is added without a word')
})

t.test('a link for an address is for that address', async t => {
  const { app, invite, eve, bob, roles, safe } = await open(t)
  const { link } = await invite({ email: 'Eve@a.example' })
  const token = link.split('=')[1] ?? ''
  const other = await bob.browser.submit(link, '/invite/join')
  t.equal(other.statusCode, 410)
  const stranger = await new Browser(app).submit(link, '/invite', {
    email: 'mallory@a.example',
    password: PASSWORD,
  })
  t.equal(stranger.statusCode, 400)
  t.equal(await app.accounts.findByEmail('mallory@a.example'), null)
  const joined = await eve.browser.submit(link, '/invite/join', { token })
  t.match(joined, { statusCode: 303, headers: { location: `/safes/${safe.id}` } })
  t.match(await roles(), { 'eve@a.example': 'reader', 'bob@a.example': 'reader' })
})

t.test('who has an account signs in on the page of the link', async t => {
  const { app, invite, roles } = await open(t)
  const { link } = await invite()
  const browser = new Browser(app)
  const signIn = (password: string) =>
    browser.submit(link, '/invite/sign-in', { email: 'eve@a.example', password })
  const wrong = await signIn('not the password')
  t.equal(wrong.statusCode, 400)
  t.ok(wrong.body.includes(accountTexts.login.wrong))
  t.notOk('eve@a.example' in (await roles()))
  t.equal((await signIn(PASSWORD)).statusCode, 303)
  t.match(await roles(), { 'eve@a.example': 'reader' })
})

t.test('of parallel uses of one link exactly one joins', async t => {
  const { app, ann, bob, eve, safe } = await open(t)
  await app.safes.members.unshare(ann.id, safe.id, bob.id)
  const token = await app.accounts.invitations.create(null, ann.id, { id: safe.id, role: 'reader' })
  const people = [
    { id: bob.id, email: 'bob@a.example' },
    { id: eve.id, email: 'eve@a.example' },
  ]
  const outcomes = await Promise.allSettled(
    people.map(account => app.safes.members.join(safe.id, token, account)),
  )
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  t.equal((await app.safes.members.people(ann.id, safe.id)).length, 2)
})

t.test('a link never takes a role away', async t => {
  const { invite, ann, roles } = await open(t)
  const { link } = await invite({ role: 'reader' })
  await ann.browser.submit(link, '/invite/join')
  t.match(await roles(), { 'ann@a.example': 'owner' })
})

t.test('an invitation can be revoked by an owner of its Safe, and expires after seven days', async t => {
  const { app, invite, ann, eve, path, clock } = await open(t)
  const first = await invite()
  const id = invitationOf(first.body)
  const own = await app.safes.create(eve.id, 'Eve’s')
  const foreign = `/safes/${own.id}/share/invitations/${id}/revoke`
  const csrf = async (browser: Browser, page: string, action: string) => {
    const known = hiddenFields((await browser.get(page)).body, action)._csrf
    return browser.post(action, { _csrf: known ?? '' })
  }
  t.equal((await csrf(eve.browser, `/safes/${own.id}/share`, foreign)).statusCode, 403)
  await t.rejects(app.accounts.invitations.revoke(id, own.id), { status: 404, code: 'not_found' })
  t.equal((await new Browser(app).get(first.link)).statusCode, 200, 'it still works')
  const revoked = await ann.browser.submit(path, `${path}/invitations/${id}/revoke`)
  t.equal(revoked.statusCode, 303)
  t.equal((await new Browser(app).get(first.link)).statusCode, 410)
  const second = await invite()
  clock.now += 7 * DAY
  t.equal((await new Browser(app).get(second.link)).statusCode, 410)
  t.notMatch((await ann.browser.get(path)).body, safesTexts.share.pending)
})

t.test('links of a removed owner are void', async t => {
  const { app, ann, bob, safe, roles } = await open(t)
  await app.safes.members.changeRole(ann.id, safe.id, bob.id, 'owner')
  const token = await app.accounts.invitations.create(null, bob.id, { id: safe.id, role: 'owner' })
  await app.safes.members.unshare(ann.id, safe.id, bob.id)
  t.equal(await app.accounts.invitations.find(token), null)
  await t.rejects(app.safes.members.join(safe.id, token, { id: bob.id, email: 'bob@a.example' }), {
    code: 'link_used',
  })
  await t.rejects(app.accounts.invitations.accept(token, 'new@a.example', PASSWORD), { code: 'link_used' })
  t.strictSame(await roles(), { 'ann@a.example': 'owner' })
  t.strictSame(await app.accounts.invitations.list({ safeId: safe.id }), [])
})

t.test('roles change and members go, but a Safe keeps an owner', async t => {
  const { app, ann, bob, safe, path, roles } = await open(t)
  const member = (id: string) => `${path}/members/${id}`
  const removed = (id: string) => ann.browser.submit(`${member(id)}/remove`, `${member(id)}/remove`)
  const asked = (await ann.browser.get(`${member(bob.id)}/remove`)).body
  t.match(asked, /Remove bob@a\.example from “Harbour .*”\?/)
  t.match((await ann.browser.get(`${member(ann.id)}/remove`)).body, /Leave “Harbour .*”\?/)
  t.equal((await ann.browser.get(`${member('nobody')}/remove`)).statusCode, 404)
  t.match(await roles(), { 'bob@a.example': 'reader' }, 'nothing happens before the answer')
  const csrf = ann.browser.tokenFor(member(ann.id))
  const demoted = await ann.browser.post(member(ann.id), { role: 'reader', _csrf: csrf })
  t.equal(demoted.statusCode, 409)
  t.ok(demoted.body.includes('must have at least one owner'))
  t.equal((await removed(ann.id)).statusCode, 409)
  t.strictSame(await roles(), { 'ann@a.example': 'owner', 'bob@a.example': 'reader' })
  t.equal((await ann.browser.submit(path, member(bob.id))).statusCode, 303)
  t.match(await roles(), { 'bob@a.example': 'owner' })
  const left = await removed(ann.id)
  t.match(left, { statusCode: 303, headers: { location: '/safes' } })
  t.equal((await ann.browser.get(path)).statusCode, 404)
  t.ok(await app.safes.membership(bob.id, safe.id))
  await t.rejects(app.safes.members.changeRole(bob.id, safe.id, ann.id, 'reader'), {
    status: 404,
    code: 'not_found',
  })
})

t.test('one account has at most 100 unused invitations', async t => {
  const { app, ann, safe, invite } = await open(t)
  for (let i = 0; i < 100; i++)
    await app.accounts.invitations.create(null, ann.id, { id: safe.id, role: 'reader' })
  const { body, link } = await invite()
  t.equal(link, '')
  t.ok(body.includes('100 unused invitations'))
})

t.test('an only owner is not offered to leave the Safe or to become a reader', async t => {
  const { app, ann, bob, safe, path } = await open(t)
  const offered = async () => (await ann.browser.get(path)).body.includes(`${path}/members/${ann.id}`)
  t.notOk(await offered())
  t.match((await ann.browser.get(path)).body, `${path}/members/${bob.id}/remove`, 'others can be removed')
  await app.safes.members.changeRole(ann.id, safe.id, bob.id, 'owner')
  t.ok(await offered(), 'once there is another owner')
})
