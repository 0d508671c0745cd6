import t from 'tap'
import { Unavailable } from '../../../common/unavailable.js'
import { turns } from '../../../storage/postgres/keyed-mutex.js'

const PATIENT = 60_000

/** Work that lasts until it is ended. */
function endless() {
  let end = () => {}
  const work = () => new Promise<void>(resolve => (end = resolve))
  return { work, end: () => end() }
}

t.test('work over the same is done one after the other, over other things at once', async t => {
  const inTurn = turns(PATIENT)
  const log: string[] = []
  const { work, end } = endless()
  const first = inTurn('a', work)
  const second = inTurn('a', async () => void log.push('second of a'))
  await inTurn('b', async () => void log.push('b'))
  log.push('first of a ends')
  end()
  await Promise.all([first, second])
  t.strictSame(log, ['b', 'first of a ends', 'second of a'])
})

t.test('work that fails says why, and the next begins', async t => {
  const inTurn = turns(PATIENT)
  const fails = inTurn('a', () => Promise.reject(new Error('no such row')))
  const next = inTurn('a', async () => 'done')
  await t.rejects(fails, /no such row/)
  t.equal(await next, 'done')
})

t.test('whoever waits too long is told so, and its work is never done', async t => {
  const inTurn = turns(5)
  const { work, end } = endless()
  const first = inTurn('a', work)
  let done = 0
  const late = Array.from({ length: 1000 }, () => inTurn('a', async () => void done++))
  await t.rejects(inTurn('a', work), /too many wait/, 'more than a thousand wait for the same')
  const outcomes = await Promise.allSettled(late)
  t.ok(outcomes.every(outcome => outcome.status === 'rejected' && outcome.reason instanceof Unavailable))
  end()
  await first
  t.equal(await inTurn('a', async () => 'free'), 'free', 'and the turn comes to others again')
  t.equal(done, 0)
})
