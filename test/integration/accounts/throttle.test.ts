import t from 'tap'
import { Passwords } from '../../../accounts/password.js'
import { RedisThrottleStore } from '../../../accounts/stores/sign-in-state.redis.js'
import { SqlThrottleStore } from '../../../accounts/stores/sign-in-state.sql.js'
import { SignInThrottle } from '../../../accounts/throttle.js'
import { addressBlock } from '../../../common/client-address.js'
import { build, setUps, testClock } from '../../helper.js'
import { writesNothing } from '../../written.js'

const PASSWORD = 'correct horse battery'
const MINUTE = 60_000

const reasonOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (reason: unknown) => reason,
  )

for (const setUp of setUps) {
  t.test(setUp, async t => {
    const clock = testClock(Date.now())
    const app = await build(t, { setUp, clock })
    const { accounts } = app
    await accounts.add('ann@example.org', PASSWORD)
    const store = app.redis ? new RedisThrottleStore(app.redis) : new SqlThrottleStore(app.database)
    const throttle = new SignInThrottle(store, clock)

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
      t.ok(await accounts.signIn('ANN@example.org ', PASSWORD, address), 'a right one does not count')
      const outcomes = await writesNothing(t, app, 'guesses', async () => {
        const settled: PromiseSettledResult<unknown>[] = []
        // As many at once as one address may have under way.
        for (const size of [4, 4, 5]) {
          const guess = (_: unknown, i: number) =>
            accounts.signIn(`guess-${settled.length + i}@example.org`, 'wrong', address)
          settled.push(...(await Promise.allSettled(Array.from({ length: size }, guess))))
        }
        return settled
      })
      const refused = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []))
      t.equal(refused.length, 3)
      for (const { status, retryAfter } of refused) {
        t.equal(status, 429)
        t.ok(Number.isInteger(retryAfter) && retryAfter >= 1 && retryAfter <= 60, `${retryAfter} s`)
      }
      t.equal(hashed, 1 + 10)
      t.match(await reasonOf(accounts.signIn('ann@example.org', PASSWORD, address)), { status: 429 })
      t.equal(hashed, 11)
      t.ok(await accounts.signIn('ann@example.org', PASSWORD, '192.0.2.8'), 'other addresses go on')
    })

    t.test('C9 an account is slowed by wrong passwords, known or not, and never locked', async t => {
      for (const email of ['bo@example.org', 'nobody@example.org']) {
        const delays: number[] = []
        for (let i = 0; i < 20; i++) delays.push((await throttle.reserve(email, `198.51.100.${i}`)).delay)
        t.same(delays.slice(0, 10), [0, 0, 0, 0, 0, 125, 250, 500, 1000, 2000], email)
        t.ok(
          delays.slice(10).every(delay => delay === 2000),
          'and no longer than that',
        )
        await (await throttle.reserve(email, '198.51.100.99')).succeeded()
        t.equal((await throttle.reserve(email, '198.51.100.98')).delay, 0, 'forgotten after a right one')
      }
    })
  })
}

t.test('C9 after ten wrong passwords: one attempt a minute, all ten again after 15 minutes', async t => {
  const clock = testClock()
  const { database } = await build(t, { clock })
  const throttle = new SignInThrottle(new SqlThrottleStore(database), clock)
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

t.test('C9 an account that is slowed still lets its owner in', async t => {
  const { accounts } = await build(t)
  await accounts.add('ann@example.org', PASSWORD)
  for (let i = 0; i < 7; i++) t.equal(await accounts.signIn('ann@example.org', 'wrong', `192.0.2.${i}`), null)
  const before = performance.now()
  t.ok(await accounts.signIn('ann@example.org', PASSWORD, '192.0.2.99'))
  t.ok(performance.now() - before > 480, 'it took its time')
})

t.test('C9 a wrong e-mail takes as long as a wrong password', async t => {
  const { accounts } = await build(t, { passwordCost: { ln: 15, r: 8, p: 3 } })
  await accounts.add('ann@example.org', PASSWORD)
  const time = async (email: string, address: string) => {
    const before = performance.now()
    await accounts.signIn(email, 'a wrong password', address)
    return performance.now() - before
  }
  const known: number[] = []
  const unknown: number[] = []
  for (let i = 0; i < 4; i++) {
    known.push(await time('ann@example.org', `192.0.2.${i}`))
    unknown.push(await time('nobody@example.org', `192.0.3.${i}`))
  }
  const ratio = Math.min(...known) / Math.min(...unknown)
  t.ok(ratio > 0.5 && ratio < 2, `the fastest of each differ by a factor of ${ratio.toFixed(2)}`)
})

t.test('C9 IPv6 addresses count by their /64', async t => {
  t.equal(addressBlock('2001:db8:1:2:3:4:5:6'), addressBlock('2001:db8:1:2::9'))
  t.not(addressBlock('2001:db8:1:2::1'), addressBlock('2001:db8:1:3::1'))
  t.equal(addressBlock('::1'), '0:0:0:0::/64')
  t.equal(addressBlock('192.0.2.1'), '192.0.2.1')
  for (const same of ['::ffff:192.0.2.1', '192.0.2.1:4711']) t.equal(addressBlock(same), '192.0.2.1')
  t.equal(addressBlock('[2001:db8::1]:4711'), '2001:db8:0:0::/64')
})
