import t from 'tap'
import { readDevice, signDevice } from '../../../domain/accounts/known-device.js'
import { linkSender } from '../../../domain/accounts/one-time-link.js'
import { FairQueue } from '../../../domain/accounts/queue.js'

/** A queue with one place, which is taken, and the order in which the others get it. */
function busyQueue() {
  const queue = new FairQueue({ concurrency: 1, waitingPerSender: 2, waiting: 6 })
  const order: string[] = []
  let free = () => {}
  const first = queue.run(() => new Promise<void>(resolve => (free = resolve)))
  const add = (name: string, isKnown = false) =>
    queue.run(async () => void order.push(name), { key: name[0] ?? '', isKnown })
  return { add, order, free: () => free(), first }
}

t.test('C9 senders take turns, and those who were here before come first', async t => {
  const { add, order, free, first } = busyQueue()
  const all = [first, add('a1'), add('a2'), add('b1'), add('c1'), add('K1', true), add('K2', true)]
  free()
  await Promise.all(all)
  t.strictSame(order, ['K1', 'K2', 'a1', 'b1', 'c1', 'a2'])
})

t.test('C9 who has a link comes before strangers, and each link is a sender of its own', t => {
  const { key, isKnown } = linkSender('token')
  t.equal(isKnown, true)
  t.strictSame(linkSender('token'), { key, isKnown })
  t.not(linkSender('other').key, key)
  t.notMatch(key, 'token')
  t.end()
})

t.test('C9 of one sender two wait, of all together as many as there is room for', async t => {
  const { add, order, free, first } = busyQueue()
  const waiting = [add('a1'), add('a2')]
  await t.rejects(add('a3'), /from your address/)
  waiting.push(add('b1'), add('b2'), add('c1'), add('d1'))
  await t.rejects(add('e1'), /too many passwords/)
  free()
  await Promise.all([first, ...waiting])
  t.equal(order.length, 6)
  await add('a4')
  t.equal(order.at(-1), 'a4', 'and with room again there is room')
})

t.test('work that fails frees its slot', async t => {
  const queue = new FairQueue({ concurrency: 1, waitingPerSender: 1, waiting: 1 })
  const fails = queue.run(() => Promise.reject(new Error('no')))
  const next = queue.run(async () => 'done')
  await t.rejects(fails, /no/)
  t.equal(await next, 'done')
})

t.test('C9 only a signed cookie says that a browser signed in before, for 400 days', async t => {
  const [key, now] = [Buffer.alloc(32, 1), Date.UTC(2026, 0, 1)]
  const cookie = signDevice(key, 'ann', now)
  t.equal(readDevice(key, cookie, now), 'ann')
  t.equal(readDevice(key, cookie, now + 400 * 86_400_000), 'ann')
  t.equal(readDevice(key, cookie, now + 402 * 86_400_000), null)
  t.equal(readDevice(Buffer.alloc(32, 2), cookie, now), null)
  for (const bad of [
    undefined,
    '',
    'ann',
    cookie.replace('ann', 'bob'),
    `${cookie}x`,
    cookie.replace('.2', '.3'),
  ])
    t.equal(readDevice(key, bad, now), null, String(bad))
})
