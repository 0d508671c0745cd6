import fc from 'fast-check'
import t from 'tap'
import { pathChain } from '../../../engine/pictures/path-chain.js'
import { svg } from '../../../engine/pictures/svg.js'
import { outside, overlaps } from './boxes.js'
import { names } from './names.js'

t.test('no two labels of a chain overlap, whatever the names are', async t => {
  const name = fc.oneof(fc.constantFrom(...names), fc.string({ minLength: 1, unit: 'grapheme' }))
  const things = fc.array(fc.record({ name, type: fc.option(name) }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(things, name, (things, predicate) => {
      const steps = things.slice(1).map(() => ({ predicate, direction: 'in' as const }))
      const picture = pathChain({ things, steps })
      t.strictSame(overlaps(picture), [])
      t.strictSame(outside(picture), [])
    }),
    { numRuns: 300 },
  )
})

t.test('a chain shows its things in order, each step with its direction', async t => {
  const things = ['Ada', 'Skerry Light', 'Bo'].map(name => ({ name, type: null, href: `/things/${name}` }))
  const picture = pathChain({
    things,
    steps: [
      { predicate: 'leads', direction: 'out' },
      { predicate: 'works at', direction: 'in' },
    ],
  })
  t.strictSame(
    picture.labels.map(({ text }) => text),
    ['Ada', '↓ leads', 'Skerry Light', '↑ works at', 'Bo'],
  )
  t.equal(picture.lines.length, 2)
  t.equal(svg(picture).match(/<a /g)?.length, 3)
})
