import fc from 'fast-check'
import t from 'tap'
import { Pause } from '../../../engine/graph/collections/pause.js'
import { countOf, PostingsBuilder, Unpacked, unpack } from '../../../engine/graph/index/postings.js'

const unpacked = new Unpacked()

const posting = fc.tuple(fc.nat(2 ** 30 - 1), fc.integer({ min: 1, max: 255 }))
const list = fc
  .uniqueArray(posting, { selector: ([number]) => number, maxLength: 300 })
  .map(items => items.sort(([a], [b]) => a - b))

t.test('packed lists unpack to what they were, whole or their beginning', async t => {
  await fc.assert(
    fc.asyncProperty(fc.array(list, { maxLength: 20 }), fc.nat(300), async (lists, most) => {
      const builder = new PostingsBuilder()
      const all = lists.flatMap((items, at) => items.map(([number, times]) => ({ at, number, times })))
      for (const { at, number, times } of all.sort((a, b) => a.number - b.number))
        builder.add(at, number, times)
      const postings = await builder.build(lists.length, new Pause())
      for (const [at, items] of lists.entries()) {
        t.equal(countOf(postings, at), items.length)
        const numbers = unpack(postings, at, most, unpacked)
        const found = Array.from(numbers, (number, place) => [number, unpacked.times[place]])
        t.strictSame(found, items.slice(0, most))
      }
    }),
    { numRuns: 30 },
  )
})

t.test('more than fits at first is unpacked whole', async t => {
  const builder = new PostingsBuilder()
  for (let number = 0; number < 50_000; number++) builder.add(0, number * 3)
  const numbers = unpack(await builder.build(1, new Pause()), 0, 100_000, unpacked)
  t.equal(numbers.length, 50_000)
  t.equal(numbers[49_999], 149_997)
})
