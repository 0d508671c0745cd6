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
    if (id === 'quick') return { total: 1, verdict: 'answered', confidence: 1 }
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

t.test('a Safe that has nothing is not outvoted by one that matched a word (ADR 49)', async t => {
  const said = {
    garden: { total: 9, verdict: 'none', confidence: 0.4 },
    boat: { total: 1, verdict: 'answered', confidence: 0.8 },
    house: { total: 5, verdict: 'possible', confidence: 0.6 },
  }
  const asked = async (names: (keyof typeof said)[]) => {
    const safes = names.map(id => ({ id, version: 1, counts: { entities: 1, passages: 1 } }))
    const stores = { safes: { readableBy: async () => safes }, indexes: { inMemory: () => null } }
    const ask = async (id: keyof typeof said) => said[id]
    const { answers, weak } = await askAll({ ...stores, ask, late: new Promise(() => {}) } as never, 'ann')
    return [answers, weak].map(found => found.map(({ safe }) => safe.id).join(' '))
  }
  t.strictSame(await asked(['garden', 'house', 'boat']), ['boat', 'house garden'])
  t.strictSame(await asked(['garden', 'house']), ['house', 'garden'])
  t.strictSame(await asked(['garden']), ['', 'garden'])
})
