import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { ReaderSeats } from '../../../domain/safes/imports/reader-seats.js'
import { AccountTurns } from '../../../platform/limits/account-turns.js'

const never = new AbortController().signal

/** Turns by a clock that the test moves, and the accounts in the order of their turns. */
function openTurns(hasRoom = () => true) {
  const clock = { now: 0 }
  const turns = new AccountTurns(hasRoom, () => clock.now)
  const order: string[] = []
  const wait = (accountId: string) =>
    turns.take(accountId, never).then(end => {
      order.push(accountId)
      return end
    })
  return { clock, turns, order, wait }
}

t.test('the account that has read the least lately goes first', async t => {
  const { clock, turns, order, wait } = openTurns()
  const end = await wait('hog')
  clock.now += 1_000
  const [again, note, small] = [wait('hog'), wait('note'), wait('small')]
  t.equal(end(), 1_000)
  for (const next of [note, small, again]) {
    const end = await next
    clock.now += 10
    end()
  }
  t.strictSame(order, ['hog', 'note', 'small', 'hog'])
  clock.now += 60_000
  t.equal(Math.round(turns.usedBy('hog')), 505, 'half of it is forgotten after a minute')
})

t.test('a turn that takes long lets one other in, and not a third', async t => {
  const { clock, order, wait } = openTurns()
  await wait('slow')
  const other = wait('other')
  const third = wait('third')
  await nextTurn()
  t.strictSame(order, ['slow'])
  clock.now += 2_000
  const end = await other
  clock.now += 1_000
  await nextTurn()
  t.strictSame(order, ['slow', 'other'])
  end()
  ;(await third)()
  t.strictSame(order, ['slow', 'other', 'third'])
})

t.test('without memory for another, all wait for the turn that takes long', async t => {
  const { clock, order, wait } = openTurns(() => false)
  const end = await wait('large')
  const other = wait('other')
  clock.now += 10_000
  await nextTurn()
  t.strictSame(order, ['large'])
  end()
  await other
})

t.test('one that is stopped while it waits leaves the queue', async t => {
  const { turns, wait } = openTurns()
  const end = await wait('ann')
  const stop = new AbortController()
  const stopped = turns.take('bob', stop.signal)
  const third = wait('cy')
  stop.abort(new Error('stopped'))
  await t.rejects(stopped, /stopped/)
  end()
  await third
})

t.test('an account has one seat; who has read the most gives one up to who waits long', async t => {
  const clock = { now: 0 }
  const used: Record<string, number> = { ann: 5, bob: 50, cy: 1, eve: 100 }
  const seats = new ReaderSeats({ most: 2, usedBy: account => used[account] ?? 0, now: () => clock.now })
  const [ann, bob] = [await seats.take('ann', never), await seats.take('bob', never)]
  let seated = ''
  const second = seats.take('ann', never).then(seat => {
    seated = 'ann again'
    return seat
  })
  const cy = seats.take('cy', never)
  clock.now += 61_000
  await new Promise<void>(resolve => bob.ending.signal.addEventListener('abort', () => resolve()))
  t.match(bob.ending.signal.reason, { message: /other people were waiting/ })
  t.notOk(ann.ending.signal.aborted)
  bob.leave()
  const { leave } = await cy
  t.equal(seated, '', 'ann has one already')
  leave()
  ann.leave()
  ;(await second).leave()
})
