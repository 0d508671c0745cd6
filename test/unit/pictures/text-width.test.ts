import fc from 'fast-check'
import t from 'tap'
import { fitText, textWidth } from '../../../engine/pictures/text-width.js'

t.test('a text that fits is shown whole, a longer one ends with an ellipsis', async t => {
  t.match(fitText('Ada', 100, 14), { text: 'Ada', isCut: false })
  const { text, isCut } = fitText('The Committee for the Restoration of the Great Lens', 120, 14)
  t.equal(isCut, true)
  t.match(text, /^The Commit.*…$/)
})

t.test('a fitted text is never wider than asked', async t => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 20, max: 300 }), (text, most) => {
      const fitted = fitText(text, most, 14)
      t.ok(fitted.width <= most)
      t.ok(textWidth(fitted.text, 14) <= most)
    }),
    { numRuns: 300 },
  )
})

t.test('CJK characters count as squares, combining marks as nothing', async t => {
  t.ok(textWidth('東京', 10) >= 20)
  t.equal(textWidth('e\u0301', 10), textWidth('e', 10))
})

t.test('an emoji of several characters is kept or cut as a whole', async t => {
  const family = '👩‍👩‍👧‍👦'
  const { text } = fitText(family.repeat(10), 200, 14)
  t.equal(text.replaceAll(family, ''), '…')
})

t.test('direction marks of a name do not reach the picture', async t => {
  t.equal(fitText('\u202eevil\u2066', 100, 14).text, 'evil')
})
