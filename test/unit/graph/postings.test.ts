import fc from 'fast-check'
import t from 'tap'
import { countOf, PostingsBuilder, Unpacked, unpack } from '../../../graph/index/postings.js'

const unpacked = new Unpacked()

const posting = fc.tuple(fc.nat(2 ** 30 - 1), fc.integer({ min: 1, max: 255 }))
const list = fc
  .uniqueArray(posting, { selector: ([number]) => number, maxLength: 300 })
  .map(items => items.sort(([a], [b]) => a - b))

t.test('packed lists unpack to what they were, whole or their beginning', async t => {
  fc.assert(
    fc.property(fc.array(list, { maxLength: 20 }), fc.nat(300), (lists, most) => {
      const builder = new PostingsBuilder(lists.length)
      for (const items of lists) {
        builder.begin(items.length)
        for (const [number, times] of items) builder.add(number, times)
      }
      const postings = builder.build()
      for (const [at, items] of lists.entries()) {
        t.equal(countOf(postings, at), items.length)
        const count = unpack(postings, at, most, unpacked)
        const found = Array.from({ length: count }, (_, place) => [
          unpacked.numbers[place],
          unpacked.times[place],
        ])
        t.strictSame(found, items.slice(0, most))
      }
    }),
    { numRuns: 30 },
  )
})

t.test('more than fits at first is unpacked whole', async t => {
  const builder = new PostingsBuilder(1)
  builder.begin(50_000)
  for (let number = 0; number < 50_000; number++) builder.add(number * 3)
  t.equal(unpack(builder.build(), 0, 100_000, unpacked), 50_000)
  t.equal(unpacked.numbers[49_999], 149_997)
})
