import t from 'tap'
import { askAll } from '../../../domain/safes/ask/ask-all.js'

t.test('when there is no more time, the Safes that are left are named instead of asked (ADR 49)', async t => {
  const safes = ['quick', 'slow', 'last'].map((id, at) => ({
    id,
    version: 1,
    counts: { entities: 1, passages: at },
  }))
  const asked: { id: string; signal: AbortSignal }[] = []
  let noMoreTime = () => {}
  const late = new Promise<void>(resolve => (noMoreTime = resolve))
  const ask = async (id: string, signal: AbortSignal) => {
    asked.push({ id, signal })
    if (id === 'quick') return { answer: { total: 1, facts: [{}], passages: [] }, coverage: 1, unknown: 0 }
    noMoreTime()
    return new Promise(() => {})
  }
  const stores = { safes: { readableBy: async () => safes }, indexes: { inMemory: () => null } }
  const { answers, weak, unasked } = await askAll({ ...stores, ask, late } as never, 'ann')
  t.same(
    [...answers, ...weak].map(({ safe }) => safe.id),
    ['quick'],
  )
  t.same(
    unasked.map(({ id }) => id),
    ['slow', 'last'],
  )
  t.same(
    asked.map(({ id }) => id),
    ['quick', 'slow'],
  )
  t.ok(
    asked.every(({ signal }) => signal.aborted),
    'and no further part of its work begins',
  )
})
