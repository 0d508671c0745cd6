import t from 'tap'
import { beginningOf, endOf, excerptOf } from '../../../safes/ask/excerpt.js'

t.test('a text is cut at a word where one ends nearby, never inside a surrogate pair', async t => {
  t.equal(beginningOf('one two three', 13), 'one two three')
  t.equal(beginningOf('one two three', 12), 'one two thre\u2026')
  t.equal(beginningOf('aaaaaaaaa bbbb', 11), 'aaaaaaaaa\u2026')
  t.equal(beginningOf('\u{1f680}'.repeat(9), 5), '\u{1f680}\u{1f680}\u2026')
  t.equal(endOf('one two three', 9), '\u2026two three')
  t.equal(endOf('\u{1f680}'.repeat(9), 5), '\u2026\u{1f680}\u{1f680}')
})

t.test('an excerpt is the first part that holds the most stems, each once', async t => {
  const text = `${'lamp '.repeat(40)}the horn of the fog station ${'x '.repeat(100)}a fog bank`
  t.match(excerptOf(text, 80, ['fog', 'horn', 'station']), /^\u2026.*the horn of the fog station.*\u2026$/)
  t.match(excerptOf(text, 60, ['lamp', 'lamp', 'lamp']), /^lamp lamp/)
  t.equal(excerptOf(text, 60, ['bank']), `\u2026${'x '.repeat(25)}a fog bank`)
  t.match(excerptOf(text, 60, []), /^lamp/)
  t.match(excerptOf(text, 60, ['ank', '']), /^lamp/, 'a stem is the beginning of a word')
  t.equal(excerptOf('short', 60, ['short']), 'short')
  const apart = `${'x '.repeat(100)}fog ${'x '.repeat(98)}horn ${'x '.repeat(22)}station ${'x '.repeat(99)}`
  t.match(excerptOf(apart, 100, ['fog', 'horn', 'station']), / fog /, 'with room behind the last stem')
})

t.test('S3 an excerpt of hostile text has its bounds, no half of a pair, whatever its stems', async t => {
  const stems = Array.from({ length: 300 }, (_, i) => String.fromCharCode(97 + (i % 26)))
  for (const text of [
    'a '.repeat(5e4),
    '\u0130'.repeat(1e5),
    'abc'.repeat(3e4),
    `${'\u{1f680}'.repeat(5e4)} b`,
  ]) {
    for (const length of [10, 250, 2_000]) {
      const cut = excerptOf(text, length, stems)
      t.ok(cut.length <= length + 2)
      t.notMatch(cut, /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/)
    }
  }
})
