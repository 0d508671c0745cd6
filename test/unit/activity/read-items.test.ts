import t from 'tap'
import type { ReadItem } from '../../../activity/entry.js'
import { hasRead, readItems } from '../../../activity/read-items.js'

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

t.test('a thing was read if a fact or a title has its name, however names are written', async t => {
  const names = ['Ada', 'x"Ada', 'Ada"]', '["Ada"', '\\', 'a,"b', 'Ada\n', 'works on', 'é', '", "']
  for (const name of names) {
    for (const other of names) {
      const items: ReadItem[][] = [
        [[other, 'is', 'B']],
        [['A', 'is', other]],
        [['A', other, 'B']],
        [[other]],
        [['A', 'is', 'B'], [other], ['C']],
      ]
      const expected = name === other ? [true, true, false, true, true] : Array(5).fill(false)
      t.same(
        items.map(item => hasRead(readItems(item), name)),
        expected,
        `${name} in ${other}`,
      )
    }
  }
  t.equal(hasRead(null, 'Ada'), false)
})
