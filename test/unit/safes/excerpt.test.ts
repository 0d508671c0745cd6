import t from 'tap'
import { beginningOf, endOf, excerptOf } from '../../../domain/safes/ask/excerpt.js'

t.test('a text is cut at a word where one ends nearby, never inside a surrogate pair', async t => {
  t.equal(beginningOf('one two three', 13), 'one two three')
  t.equal(beginningOf('one two three', 12), 'one two thre\u2026')
  t.equal(beginningOf('aaaaaaaaa bbbb', 11), 'aaaaaaaaa\u2026')
  t.equal(beginningOf('\u{1f680}'.repeat(9), 5), '\u{1f680}\u{1f680}\u2026')
  t.equal(endOf('one two three', 9), '\u2026two three')
  t.equal(endOf('\u{1f680}'.repeat(9), 5), '\u2026\u{1f680}\u{1f680}')
})

t.test('a text is not cut inside a link', async t => {
  const long = 'x'.repeat(300)
  for (const link of [
    '[[Ada Lovelace|the countess]]',
    '![[a picture.png]]',
    '[her notes](../notes/ada.md)',
  ]) {
    t.equal(beginningOf(`Written by ${link} in London`, 11 + link.length - 1), 'Written by\u2026', link)
    t.equal(beginningOf(`Written by ${link} in London`, 11 + link.length + 4), `Written by ${link} in\u2026`)
    t.equal(endOf(`Written by ${link} in London`, 12), '\u2026in London', link)
    const text = `${'x '.repeat(60)}${link} and in the end there is a fog horn${' x'.repeat(60)}`
    t.ok(excerptOf(text, 120, ['fog', 'horn']).startsWith(`\u2026${link} and`), 'it begins before the link')
  }
  t.equal(beginningOf(`[[${long}`, 10), '[[xxxxxxxx\u2026', 'what is no link is cut')
  t.equal(beginningOf(`[[${long.slice(200)}]] x`, 10), '[[xxxxxxxx\u2026', 'something is left')
})

t.test('an excerpt is the first part that holds the most stems, each once', async t => {
  const text = `${'lamp '.repeat(40)}the horn of the fog station ${'x '.repeat(100)}a fog bank`
  t.match(excerptOf(text, 80, ['fog', 'horn', 'station']), /^\u2026.*the horn of the fog station.*\u2026$/)
  t.match(excerptOf(text, 60, ['lamp', 'lamp', 'lamp']), /^lamp lamp/)
  t.equal(excerptOf(text, 60, ['bank']), `\u2026${'x '.repeat(25)}a fog bank`)
  t.match(excerptOf(text, 60, []), /^lamp/)
  t.match(excerptOf(text, 60, ['ank', '']), /^lamp/, 'a stem is the beginning of a word')
  t.equal(excerptOf('short', 60, ['short']), 'short')
  const answer = text.indexOf('station')
  t.match(excerptOf(text, 60, ['lamp'], answer), /station/, 'a known place counts more than stems')
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
