import t from 'tap'
import type { ReadItem } from '../../../domain/activity/entry.js'
import { documentsIn, hasRead, readItems } from '../../../domain/activity/read-items.js'

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

t.test('documents are counted once for each answer, with what of them was read', async t => {
  const items: ReadItem[] = [
    ['Ada', 'works on', 'Crane'],
    ['No document'],
    ['Plan > Aims', 'work/Plan.md', 3, 12, 12],
    ['Home', 'Home.md', 3, 1, 4],
    ['Plan > Means', 'work/Plan.md', 3, 14, 14],
    ['Long', 'x'.repeat(2001), 3, 1, 1],
  ]
  t.same(documentsIn(items), [
    { path: 'work/Plan.md', parts: '3.12-12,3.14-14' },
    { path: 'Home.md', parts: '3.1-4' },
  ])
  t.equal(hasRead(readItems(items), 'Plan > Aims'), true)
  t.equal(hasRead(readItems(items), 'Home.md'), false, 'a path is no name')
})
