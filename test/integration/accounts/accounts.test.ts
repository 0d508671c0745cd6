import t, { type Test } from 'tap'
import { Passwords } from '../../../domain/accounts/password.js'
import { AccountStore } from '../../../domain/accounts/stores/account.sql.js'
import { random } from '../../../platform/common/secrets.js'
import { build, testClock } from '../../helper.js'

const PASSWORD = 'correct horse battery'

/** Asserts that it is refused with this status and a sentence. */
async function refuses(t: Test, attempt: Promise<unknown>, status: number, title = `refused with ${status}`) {
  const error = await attempt.then(
    () => null,
    error => error,
  )
  t.match(error, { status, message: /^[A-Z].+\.$/ }, title)
}

t.test('passwords are scrypt PHC strings with N=2^15, r=8, p=3', async t => {
  const passwords = new Passwords(random)
  const phc = await passwords.hash(PASSWORD)
  t.match(phc, /^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/)
  t.not(await passwords.hash(PASSWORD), phc, 'salted')
  t.equal(await passwords.verify(PASSWORD, phc), true)
  t.equal(await passwords.verify(`${PASSWORD} `, phc), false)
  t.equal(await passwords.verify(PASSWORD, null), false)
})

t.test('a flood of passwords is rejected instead of queued', async t => {
  const passwords = new Passwords(random)
  const cheap = '$scrypt$ln=1,r=1,p=1$AAAA$AAAA'
  const refusedOf = async (length: number, keyOf: (i: number) => string) => {
    const verify = (_: unknown, i: number) => passwords.verify('x', cheap, { key: keyOf(i), isKnown: false })
    const outcomes = await Promise.allSettled(Array.from({ length }, verify))
    return outcomes.filter(outcome => outcome.status === 'rejected')
  }
  const ofOne = await refusedOf(10, () => 'one')
  t.equal(ofOne.length, 10 - 4, 'of one address two are worked on and two wait')
  t.match(ofOne[0], { reason: { status: 429, retryAfter: 2 } })
  const ofMany = await refusedOf(600, i => `${i}`)
  t.equal(ofMany.length, 600 - 514)
  t.match(ofMany[0], { reason: { statusCode: 503 } })
})

t.test('invalid account data is rejected with a message', async t => {
  const { accounts } = await build(t)
  for (const [email, password] of [
    ['no address', PASSWORD],
    ['a\0@c.example', PASSWORD],
    [`${'a'.repeat(250)}@c.example`, PASSWORD],
    ['a@c.example', 'too short'],
    ['a@c.example', 'nul \0 in the middle'],
    ['a@c.example', 'x'.repeat(1001)],
  ] as const) {
    await refuses(t, accounts.add(email, password), 400)
  }
  t.same(await accounts.records.list(), [])
  t.ok(await accounts.add('a@c.example', 'x'.repeat(1000)), 'the longest password')
})

t.test('a common password is refused wherever one is chosen; one that exists still works', async t => {
  const { accounts, database } = await build(t)
  const common = 'Password1234'
  const ann = await accounts.add('ann@example.org', PASSWORD)
  const before = await database.read.selectFrom('accounts').selectAll().execute()
  const reset = await accounts.passwords.createResetToken(ann.id)
  const invitation = await accounts.invitations.create(null)
  await refuses(t, accounts.add('bo@example.org', common), 400, 'a new account')
  await refuses(t, accounts.invitations.accept(invitation, 'bo@example.org', common), 400, 'an invitation')
  await refuses(
    t,
    accounts.invitations.accept(invitation, 'somebody@example.org', 'Somebody@example.org'),
    400,
  )
  await refuses(t, accounts.passwords.set(ann.id, common), 400, 'set by the operator')
  await refuses(t, accounts.passwords.change(ann.id, PASSWORD, common, '::1'), 400, 'a change')
  await refuses(t, accounts.passwords.reset(reset, common), 400, 'a reset')
  await refuses(t, accounts.passwords.reset(reset, 'ann@example.org'), 400, 'the e-mail address')
  t.same(await database.read.selectFrom('accounts').selectAll().execute(), before)
  t.ok(await accounts.invitations.find(reset), 'the links still work')
  t.ok(await accounts.invitations.find(invitation))

  const passwordHash = await new Passwords(random, { ln: 8, r: 8, p: 1 }).hash(common)
  await database.write(trx => trx.updateTable('accounts').set({ password_hash: passwordHash }).execute())
  t.ok(await accounts.passwords.signIn('ann@example.org', common, '::1'), 'chosen before there was the list')
})

t.test('ADMIN_EMAIL and ADMIN_PASSWORD create the first account, with a good password', async t => {
  const env = { ADMIN_EMAIL: 'Root@example.org', ADMIN_PASSWORD: PASSWORD }
  const { accounts } = await build(t, { env })
  t.match(await accounts.records.list(), [{ email: 'root@example.org', role: 'admin' }])
  await accounts.addFirst('root@example.org', 'password1234')
  t.equal(
    (await accounts.records.list()).length,
    1,
    'where there is an account, the password is not even looked at',
  )
  // Embedded, because a service that fails to start closes its connection to Redis only at the end of the process.
  const common = build(t, { env: { ...env, ADMIN_PASSWORD: 'password1234' }, setUp: 'embedded' })
  await t.rejects(common, { message: /ADMIN_PASSWORD.*one of the most common/ })
})

t.test('the operator sets a password, which ends sessions, and roles, but for the last admin', async t => {
  const { accounts, activity, database, loginSessions } = await build(t)
  const ann = await accounts.add('ann@example.org', PASSWORD)
  const session = await loginSessions.begin(ann.id)
  const providerOnly = async () =>
    (await database.read.selectFrom('accounts').select('provider_only').executeTakeFirst())?.provider_only
  await database.write(trx => trx.updateTable('accounts').set({ provider_only: 1 }).execute())
  await accounts.passwords.set(ann.id, `new ${PASSWORD}`)
  t.equal(await providerOnly(), 0, 'the provider does not decide alone any more')
  t.equal(await loginSessions.find(session), null)
  t.ok(await accounts.passwords.signIn('ann@example.org', `new ${PASSWORD}`, '::1'))
  const unknown = { status: 404, message: /no such account/ }
  await t.rejects(accounts.passwords.set('unknown', PASSWORD), unknown)
  await t.rejects(accounts.remove('unknown'), unknown)
  await refuses(t, accounts.setRole(ann.id, 'member'), 409, 'the last administrator')
  await refuses(t, accounts.setRole('unknown', 'admin'), 404)
  const bo = await accounts.add('bo@example.org', PASSWORD, 'member')
  await accounts.setRole(bo.id, 'admin')
  await accounts.setRole(ann.id, 'member')
  t.match(await accounts.records.list(), [{ role: 'member' }, { role: 'admin' }])
  await activity.flush()
  const { entries } = await activity.ofAccount(ann.id, { limit: 9 })
  const changes = entries.map(({ kind }) => kind).filter(kind => kind.endsWith('-changed'))
  t.same(changes, ['role-changed', 'password-changed'])
})

t.test('of two administrators who are removed at once, one stays', async t => {
  const { accounts } = await build(t)
  const both = [
    await accounts.add('ann@example.org', PASSWORD, 'admin'),
    await accounts.add('bo@example.org', PASSWORD, 'admin'),
  ]
  const outcomes = await Promise.allSettled(both.map(({ id }) => accounts.remove(id)))
  t.match(
    outcomes.filter(({ status }) => status === 'rejected'),
    [{ reason: { code: 'last_admin' } }],
  )
  t.equal((await accounts.records.list()).length, 1)
})

t.test('an account that is removed while its password is hashed gets none', async t => {
  const { accounts } = await build(t)
  await accounts.add('ann@example.org', PASSWORD)
  const { hash } = Passwords.prototype
  for (const [message, set] of [
    ['There is no such account.', (id, next) => accounts.passwords.set(id, next)],
    ['There is no such account.', (id, next) => accounts.passwords.change(id, PASSWORD, next, '::1')],
    [
      /^This link/,
      async (id, next) => accounts.passwords.reset(await accounts.passwords.createResetToken(id), next),
    ],
  ] as [string | RegExp, (id: string, next: string) => Promise<unknown>][]) {
    const { id } = await accounts.add('bo@example.org', PASSWORD)
    const hashed = t.capture(
      Passwords.prototype,
      'hash',
      async function (this: Passwords, ...given: Parameters<typeof hash>) {
        await accounts.remove(id)
        return hash.apply(this, given)
      },
    )
    await t.rejects(async () => void (await set(id, `new ${PASSWORD}`)), { message }, String(set))
    hashed.restore()
  }
})

t.test('of two who use a link to reset a password at once, one sets it', async t => {
  const { accounts } = await build(t)
  const { id } = await accounts.add('ann@example.org', PASSWORD)
  const token = await accounts.passwords.createResetToken(id)
  const outcomes = await Promise.allSettled(
    ['one', 'two'].map(name => accounts.passwords.reset(token, `${name} ${PASSWORD}`)),
  )
  t.match(
    outcomes.filter(({ status }) => status === 'rejected'),
    [{ reason: { status: 410 } }],
  )
})

t.test(
  'a reset proves the address if it was mailed, and overrules the provider if it was handed out',
  async t => {
    const { accounts, database } = await build(t)
    const { passwords } = accounts
    const ann = await accounts.add('ann@example.org', PASSWORD)
    const links: [name: string, create: () => Promise<string>, after: object][] = [
      [
        'mailed',
        () => passwords.createResetToken(ann.id, 1, ann.email),
        { email_proven: 1, provider_only: 1 },
      ],
      ['handed out', () => passwords.createResetToken(ann.id), { email_proven: 0, provider_only: 0 }],
    ]
    for (const [name, create, after] of links) {
      const before = { email_proven: 0, provider_only: 1 }
      await database.write(trx => trx.updateTable('accounts').set(before).execute())
      await passwords.reset(await create(), PASSWORD)
      const rows = await database.read
        .selectFrom('accounts')
        .select(['email_proven', 'provider_only'])
        .execute()
      t.strictSame(rows, [after], name)
    }
  },
)

t.test('people share the limits of the first who invited them, administrators have none', async t => {
  const { accounts } = await build(t)
  const { invitations } = accounts
  const admin = await accounts.add('admin@example.org', PASSWORD)
  let count = 0
  const invitedBy = async (inviter: string) => {
    const email = `guest-${++count}@example.org`
    return (await invitations.accept(await invitations.create(email, inviter), email, PASSWORD)).id
  }
  const first = await invitedBy(admin.id)
  const second = await invitedBy(first)
  const third = await invitedBy(second)
  const promoted = await invitedBy(third)
  await accounts.setRole(promoted, 'admin')
  const removed = await invitedBy(admin.id)
  await accounts.remove(removed)
  const roots: [who: string, accountId: string | null, root: string | null][] = [
    ['the operator', null, null],
    ['an administrator', admin.id, null],
    ['whom an administrator invited', first, first],
    ['whom they invited', second, first],
    ['whom those invited', third, first],
    ['an administrator whom a member had invited', promoted, null],
    ['whose account is gone', removed, removed],
  ]
  for (const [who, accountId, root] of roots) t.equal(await invitations.inviterRoot(accountId), root, who)

  for (let made = 3; made < 10; made++) await invitedBy(second)
  await refuses(t, invitedBy(third), 429, 'ten accounts a day, whoever of them invites')
  await invitedBy(admin.id)
  t.equal(
    (await accounts.records.list()).length,
    1 + count - 2,
    'neither the refused one nor the removed one',
  )
})

t.test('invitations are listed in pages, the newest first', async t => {
  const clock = testClock()
  const { accounts } = await build(t, { clock })
  for (const name of ['a', 'b', 'c']) {
    clock.now += 1
    await accounts.invitations.create(`${name}@example.org`)
  }
  const [first, second] = await accounts.invitations.list({ limit: 2 })
  t.match([first, second], [{ email: 'c@example.org' }, { email: 'b@example.org' }])
  t.match(await accounts.invitations.list({ after: second?.id ?? '' }), [{ email: 'a@example.org' }])
  t.same(await accounts.invitations.list({ after: 'unknown' }), [])
})

t.test('a new password makes open links to reset it useless', async t => {
  const { accounts } = await build(t)
  const ann = await accounts.add('ann@example.org', PASSWORD)
  const bo = await accounts.add('bo@example.org', PASSWORD)
  const token = await accounts.passwords.createResetToken(ann.id)
  const ofBo = await accounts.passwords.createResetToken(bo.id)
  await accounts.passwords.change(ann.id, PASSWORD, `new ${PASSWORD}`, '::1')
  await refuses(t, accounts.passwords.reset(token, PASSWORD), 410)
  t.ok(await accounts.passwords.signIn('ann@example.org', `new ${PASSWORD}`, '::1'))
  t.ok(await accounts.invitations.find(ofBo), 'those of others work')
})

t.test('the first account is the admin; e-mail addresses are unique, ignoring case', async t => {
  const { accounts } = await build(t)
  t.match(await accounts.add(' Ann@Example.org ', PASSWORD), { email: 'ann@example.org', role: 'admin' })
  t.match(await accounts.add('bo@example.org', PASSWORD), { role: 'member' })
  await refuses(t, accounts.add('ANN@example.org', PASSWORD), 409)
  t.match(await accounts.add('cy@example.org', PASSWORD, 'admin'), { role: 'admin' }, 'a role that is given')
  t.equal((await accounts.records.list()).length, 3)
  const ann = await accounts.findByEmail('ann@EXAMPLE.org')
  await accounts.remove((await accounts.findByEmail('cy@example.org'))!.id)
  await refuses(t, accounts.remove(ann!.id), 409, 'the last admin stays')
  await refuses(t, accounts.remove('unknown'), 404)
})

t.test('a set-up link creates the first account only, once, within 24 hours (DESIGN §5.6)', async t => {
  const clock = testClock()
  const { accounts, database } = await build(t, { clock })
  const first = await accounts.invitations.createSetupToken()
  const token = await accounts.invitations.createSetupToken()
  t.equal(await accounts.invitations.find(first), null, 'a newer link replaces the older')
  t.notMatch(JSON.stringify(await database.read.selectFrom('invitations').selectAll().execute()), token)
  clock.now += 24 * 3_600_000
  t.equal(await accounts.invitations.find(token), null)
  await refuses(t, accounts.invitations.accept(token, 'a@b.example', PASSWORD), 410)
  t.ok(await accounts.records.isEmpty())

  const fresh = await accounts.invitations.createSetupToken()
  const race = await Promise.allSettled(
    ['a', 'b', 'c'].map(name => accounts.invitations.accept(fresh, `${name}@b.example`, PASSWORD)),
  )
  t.equal(
    race.filter(outcome => outcome.status === 'fulfilled').length,
    1,
    'of simultaneous submits one wins',
  )
  t.equal((await accounts.records.list()).length, 1)
  await refuses(t, accounts.invitations.accept(fresh, 'd@b.example', PASSWORD), 410)
  const late = await accounts.invitations.createSetupToken()
  await refuses(t, accounts.invitations.accept(late, 'd@b.example', PASSWORD), 410)
  t.equal((await accounts.records.list()).length, 1)
})

t.test('an invitation creates one member, and stays valid if the e-mail is taken', async t => {
  const { accounts } = await build(t)
  await accounts.add('ann@example.org', PASSWORD)
  const token = await accounts.invitations.create('Bo@example.org')
  await refuses(t, accounts.invitations.accept(token, 'eve@example.org', PASSWORD), 400)
  t.match(await accounts.invitations.accept(token, 'bo@example.org', PASSWORD), { role: 'member' })
  await refuses(t, accounts.invitations.accept(token, 'bo@example.org', PASSWORD), 410)
  const open = await accounts.invitations.create(null)
  await refuses(t, accounts.invitations.accept(open, 'ann@example.org', PASSWORD), 409)
  t.match(await accounts.invitations.accept(open, 'cy@example.org', PASSWORD), { role: 'member' })
})

t.test('a login session is extended by use, and ends when the password changes', async t => {
  const clock = testClock(Date.now())
  const { accounts, loginSessions } = await build(t, { clock })
  const ann = await accounts.add('ann@example.org', PASSWORD)
  const secret = await loginSessions.begin(ann.id)
  t.same(await loginSessions.find(secret), ann)
  t.equal(await loginSessions.isRecent(secret), true)
  t.equal(await loginSessions.isRecent('unknown'), false)
  clock.now += 10 * 60_000
  t.equal(await loginSessions.isRecent(secret), false, 'for ten minutes')
  t.equal(await loginSessions.find(`${secret}x`), null)
  clock.now += 20 * 24 * 3_600_000
  t.ok(await loginSessions.find(secret))
  clock.now += 20 * 24 * 3_600_000
  t.ok(await loginSessions.find(secret), 'used within 30 days')
  clock.now += 30 * 24 * 3_600_000
  t.equal(await loginSessions.find(secret), null)

  const next = await loginSessions.begin(ann.id)
  t.equal(await accounts.passwords.change(ann.id, 'not the password', `new ${PASSWORD}`, '::1'), false)
  t.ok(await loginSessions.find(next))
  t.equal(await accounts.passwords.change(ann.id, PASSWORD, `new ${PASSWORD}`, '::1'), true)
  t.equal(await loginSessions.find(next), null)
  t.ok(await accounts.passwords.signIn('ann@example.org', `new ${PASSWORD}`, '::1'))
  const last = await loginSessions.begin(ann.id)
  t.ok(await loginSessions.find(last), 'a session after the change')
  await accounts.records.endSessions(ann.id)
  t.equal(await loginSessions.find(last), null)
})

t.test('a session is listed with 300 characters of what its browser says', async t => {
  const { accounts, loginSessions } = await build(t)
  const { id } = await accounts.add('ann@example.org', PASSWORD)
  const secret = await loginSessions.begin(id, { userAgent: `${'B'.repeat(300)}!`, address: '192.0.2.7' })
  const listed = await loginSessions.listFor(id, secret)
  t.match(listed, [{ address: '192.0.2.7', isCurrent: true }])
  t.equal(listed[0]?.userAgent, 'B'.repeat(300))
})

t.test('an account that is gone has no session, and no password to change', async t => {
  const { accounts, loginSessions } = await build(t)
  t.equal(await loginSessions.find(await loginSessions.begin('gone')), null)
  t.equal(await accounts.passwords.change('gone', PASSWORD, `new ${PASSWORD}`, '::1'), false)
})

t.test('the first question of an account is noted; later ones do not wait to write', async t => {
  const { accounts } = await build(t)
  const { id } = await accounts.add('ann@example.org', PASSWORD)
  t.equal(await accounts.records.hasAsked(id), false)
  const writes = t.capture(AccountStore.prototype, 'noteQuestion', AccountStore.prototype.noteQuestion)
  for (let i = 0; i < 2; i++) await accounts.noteQuestion(id)
  t.equal(await accounts.records.hasAsked(id), true)
  t.equal(writes().length, 1)
})
