import t from 'tap'
import { Passwords } from '../../../domain/accounts/password.js'
import { RedisThrottleStore } from '../../../domain/accounts/stores/sign-in-state.redis.js'
import { SqlThrottleStore } from '../../../domain/accounts/stores/sign-in-state.sql.js'
import { NewAccountLimit, SignInThrottle } from '../../../domain/accounts/throttle.js'
import { addressBlock } from '../../../platform/common/client-address.js'
import { random } from '../../../platform/common/secrets.js'
import { MailLimits } from '../../../platform/limits/mail-limits.js'
import { build, testClock } from '../../helper.js'
import { writesNothing } from '../../written.js'

const PASSWORD = 'correct horse battery'
const MINUTE = 60_000

const reasonOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (reason: unknown) => reason,
  )

t.test('throttles', async t => {
  const clock = testClock(Date.now())
  const app = await build(t, { clock })
  const { accounts } = app
  await accounts.add('ann@example.org', PASSWORD)
  const store = app.redis ? new RedisThrottleStore(app.redis) : new SqlThrottleStore(app.database, clock)

  t.test('C9 ten wrong passwords per address, also at once; those beyond are not hashed', async t => {
    const { verify } = Passwords.prototype
    let hashed = 0
    Passwords.prototype.verify = function (...given) {
      hashed++
      return verify.apply(this, given)
    }
    t.teardown(() => {
      Passwords.prototype.verify = verify
    })
    const address = '192.0.2.7'
    t.ok(await accounts.passwords.signIn('ANN@example.org ', PASSWORD, address), 'a right one does not count')
    const outcomes = await writesNothing(t, app, 'guesses', async () => {
      const results: PromiseSettledResult<unknown>[] = []
      // The maximum that one address may have in progress.
      for (const size of [4, 4, 5]) {
        const guess = (_: unknown, i: number) =>
          accounts.passwords.signIn(`guess-${results.length + i}@example.org`, 'wrong', address)
        results.push(...(await Promise.allSettled(Array.from({ length: size }, guess))))
      }
      return results
    })
    const refused = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []))
    t.equal(refused.length, 3)
    for (const { status, retryAfter } of refused) {
      t.equal(status, 429)
      t.ok(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 60, `${retryAfter} s`)
    }
    t.equal(hashed, 1 + 10)
    t.match(await reasonOf(accounts.passwords.signIn('ann@example.org', PASSWORD, address)), { status: 429 })
    t.equal(hashed, 11)
    t.ok(await accounts.passwords.signIn('ann@example.org', PASSWORD, '192.0.2.8'), 'other addresses go on')
  })

  t.test('C9 an account is slowed by wrong passwords, known or not, and never locked', async t => {
    const slept: number[] = []
    const throttle = new SignInThrottle(store, async ms => void slept.push(ms))
    for (const email of ['bo@example.org', 'unknown@example.org']) {
      for (let i = 0; i < 20; i++) await throttle.reserve(email, `198.51.100.${i}`)
      t.same(slept.splice(0), [125, 250, 500, 1000, ...Array(11).fill(2000)], 'the first five do not wait')
      await (await throttle.reserve(email, '198.51.100.99')).succeeded()
      t.same(slept.splice(0), [2000], 'a right one waits as well')
      await throttle.reserve(email, '198.51.100.98')
      t.same(slept, [], 'and is the end of it')
    }
  })
})

t.test('mail, invitations and new accounts are limited, each account or sender for itself', async t => {
  const clock = testClock(Date.now())
  const { database } = await build(t, { clock })
  const store = new SqlThrottleStore(database, clock)
  const [mail, accounts] = [new MailLimits(store), new NewAccountLimit(store)]
  const limits: [name: string, take: (key: string) => Promise<unknown>, limit: number, hours: number][] = [
    ['requests', key => mail.countResetRequest(key).then(() => true), 10, 0.25],
    ['links', key => mail.mayReset(key), 3, 1],
    ['notices', key => mail.mayNotify(key), 20, 1],
    ['invitations of an administrator', key => mail.mayInvite(key, null), 20, 1],
    ['invitations of the invited', key => mail.mayInvite('anybody', key), 10, 24],
    ['new accounts', key => accounts.take(key).then(() => true), 10, 24],
  ]
  for (const [name, take, limit, hours] of limits) {
    const isTaken = (key: string) => take(key).catch(error => (error.status === 429 ? false : error))
    for (let i = 0; i < limit; i++) t.equal(await isTaken('one'), true, name)
    t.equal(await isTaken('one'), false, `${name}: over the limit`)
    t.equal(await isTaken('other'), true, `${name}: another one`)
    clock.now += hours * 60 * MINUTE - 1
    t.equal(await isTaken('one'), false, `${name}: to the last millisecond`)
    clock.now += 1
    t.equal(await isTaken('one'), true, `${name}: after ${hours} hours`)
  }
  t.match(await reasonOf(Promise.all(Array.from({ length: 11 }, () => accounts.take('more')))), {
    status: 429,
    retryAfter: 24 * 3600,
  })
  await accounts.release('more')
  await accounts.take('more')
  t.strictSame([await mail.mayWarnOfBackups(), await mail.mayWarnOfBackups()], [true, false])
  clock.now += 24 * 60 * MINUTE
  t.equal(await mail.mayWarnOfBackups(), true, 'once a day')
})

t.test('C9 after ten wrong passwords: one attempt a minute, all ten again after 15 minutes', async t => {
  const clock = testClock()
  const { database } = await build(t, { clock })
  const throttle = new SignInThrottle(new SqlThrottleStore(database, clock))
  const attempt = (i: number) => throttle.reserve(`guess-${i}@example.org`, '192.0.2.7').then(() => 'let in')
  const refusal = { status: 429, retryAfter: 60 }
  for (let i = 0; i < 10; i++) await attempt(i)
  t.match(await reasonOf(attempt(10)), refusal)
  clock.now += MINUTE - 1
  t.match(await reasonOf(attempt(11)), { status: 429, retryAfter: 1 })
  clock.now += 1
  t.equal(await attempt(12), 'let in')
  t.match(await reasonOf(attempt(13)), refusal)
  clock.now += 14 * MINUTE
  for (let i = 20; i < 30; i++) t.equal(await attempt(i), 'let in')
  t.match(await reasonOf(attempt(30)), refusal)
})

t.test('C9 a wrong e-mail address costs the same work as a wrong password', async t => {
  const cost = { ln: 4, r: 8, p: 3 }
  const derivations: unknown[] = []
  const passwords = new Passwords(random, cost, async (_password, _salt, length, options) => {
    derivations.push([length, options])
    return Buffer.alloc(length)
  })
  const hash = await passwords.hash(PASSWORD)
  await passwords.verify('a wrong password', hash)
  await passwords.verify('a wrong password', null)
  const [, known, unknown] = derivations
  t.match(known, [32, { N: 16, r: 8, p: 3 }])
  t.strictSame(unknown, known)
})

t.test('C9 IPv6 addresses count by their /64', async t => {
  t.equal(addressBlock('2001:db8:1:2:3:4:5:6'), addressBlock('2001:db8:1:2::9'))
  t.not(addressBlock('2001:db8:1:2::1'), addressBlock('2001:db8:1:3::1'))
  t.equal(addressBlock('::1'), '0:0:0:0::/64')
  t.equal(addressBlock('192.0.2.1'), '192.0.2.1')
  for (const same of ['::ffff:192.0.2.1', '192.0.2.1:4711']) t.equal(addressBlock(same), '192.0.2.1')
  t.equal(addressBlock('[2001:db8::1]:4711'), '2001:db8:0:0::/64')
})
