import t from 'tap'
import { readItems } from '../../../activity/read-items.js'

t.test('what was read is kept up to 50 facts and passages and 4,000 characters', async t => {
  t.equal(readItems([]), null)
  const few = [['Ada', 'works on', 'Harbour project'] as const, ['Ada'] as const]
  t.same(JSON.parse(readItems(few) ?? ''), few)
  const many = Array.from({ length: 60 }, (_, i) => [`Passage ${i}`] as const)
  t.same(JSON.parse(readItems(many) ?? ''), many.slice(0, 50))
  const long = Array.from({ length: 10 }, () => ['x'.repeat(1000)] as const)
  t.equal(JSON.parse(readItems(long) ?? '').length, 4)
  t.equal(readItems([['x'.repeat(4001)]]), null)
})
