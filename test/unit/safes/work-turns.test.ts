import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { WorkTurns } from '../../../domain/safes/ask/work-turns.js'

/** Turns by a clock that only work moves, and the pieces in the order of their execution. */
function openTurns() {
  const clock = { now: 0 }
  const turns = new WorkTurns(() => clock.now)
  const order: string[] = []
  const work = (accountId: string, ms: number) =>
    turns.run(accountId, () => {
      order.push(accountId)
      clock.now += ms
      return order.length
    })
  return { turns, order, work }
}

t.test('one account’s hundred questions delay another’s by a few of them (issue 53)', async t => {
  const { order, work } = openTurns()
  const many = Array.from({ length: 100 }, () => work('many', 6))
  t.equal(order.length, 1, 'the first begins at once, the others wait until the event loop has looked')
  await nextTurn()
  const one = await work('one', 6)
  t.ok(one <= 4, `the honest one was number ${one}`)
  await Promise.all(many)
  t.equal(order.length, 101)
})

t.test('short pieces do not wait for the event loop', async t => {
  const { order, work } = openTurns()
  const done = Promise.all(Array.from({ length: 10 }, () => work('one', 0.4)))
  t.equal(order.length, 10)
  await done
  const more = Promise.all(Array.from({ length: 10 }, () => work('one', 1)))
  await Promise.resolve()
  t.ok(order.length < 20, 'what is left of the slice, then the event loop looks')
  await more
  t.equal(order.length, 20)
})

t.test('accounts that wait go on one after another, and an error ends its piece only', async t => {
  const { turns, order, work } = openTurns()
  const first = work('a', 10)
  const waiting = ['a', 'a', 'b', 'c', 'b'].map(account => work(account, 10))
  const failing = turns.run('b', () => {
    throw new Error('no')
  })
  await t.rejects(failing, { message: 'no' })
  await Promise.all([first, ...waiting])
  t.strictSame(order, ['a', 'a', 'b', 'c', 'a', 'b'])
})

t.test('work tells how long it kept the thread, waiting for others not included', async t => {
  const clock = { now: 0 }
  const turns = new WorkTurns(() => clock.now)
  const measured: number[] = []
  const work = async () => {
    clock.now += 3
    await nextTurn()
    clock.now += 100
    return 'done'
  }
  t.equal(await turns.run('a', work, ms => measured.push(ms)), 'done')
  t.strictSame(measured, [3])
})
