import t from 'tap'
import {
  normalizeName,
  singular,
  spacedPredicate,
  stem,
  terms,
  words,
  wordsAt,
} from '../../../engine/graph/text/text.js'

t.test('the key of a name: case, accents, white space and compatibility forms do not matter', async t => {
  for (const [name, key] of [
    ['Ada Lovelace', 'ada lovelace'],
    ['  S\u00e3o \t Paulo\n', 'sao paulo'],
    ['Sa\u0303o Paulo', 'sao paulo'],
    ['\u0130stanbul', 'istanbul'],
    ['\uff21\uff22', 'ab'],
    ['C++', 'c++'],
    ['Ada\u200b\u202e', 'ada'],
    ['__proto__', '__proto__'],
    ['\u0915\u093f', '\u0915\u093f'],
    ['\u0915\u0941', '\u0915\u0941'],
  ] as const) {
    t.equal(normalizeName(name), key)
    t.equal(normalizeName(key), key, 'and a key is its own key')
  }
})

t.test('the key of a printable name is never empty', async t => {
  for (const name of ['\u0301', '!', '\u{1f680}', '\u3000x']) t.not(normalizeName(` ${name} `), '', name)
})

t.test('words: any script, possessives, emoji, offsets into the text', async t => {
  t.strictSame(words("Ada's caf\u00e9, don\u2019t \u6771\u4eac"), ['ada', 'cafe', 'dont', '\u6771', '\u4eac'])
  t.strictSame(words('Ada\u2019s \u{1f680} a_b'), ['ada', '\u{1f680}', 'a', 'b'])
  t.strictSame(words('!?'), [])
  const text = 'Who is \u00c9mile?'
  t.strictSame(
    wordsAt(text).map(({ start, end }) => text.slice(start, end)),
    ['Who', 'is', '\u00c9mile'],
  )
})

t.test('stems bring the forms of a word together and keep short words apart', async t => {
  for (const forms of [
    'natural naturally nature',
    'different difference differences differ',
    'organise organised organising organization organisations organizer',
    'colour color colours colored',
    'possible possibly possibility',
    'readable readability reader reading',
    'sensitive sensitivity',
    'performance performant performer',
    'happy happiness',
    'secure security',
    'care careful carefully',
    'quick quickly',
    'family families',
    'create creative creation creator',
    'manage manages managed managing manager management',
    'supply supplies supplied',
    'plan planned planner',
    'live lives lived living',
    'use used using',
    'write wrote written',
    'city cities',
  ]) {
    t.equal(new Set(forms.split(' ').map(stem)).size, 1, forms)
  }
  t.not(stem('carry'), stem('car'))
  t.equal(stem('boss'), 'boss')
  t.equal(stem('king'), 'king')
  t.not(stem('paper'), stem('pap'))
  t.equal(stem('hour'), 'hour')
  t.strictSame(terms('Which tools does it use?'), ['tool', 'use'])
  t.strictSame(terms(spacedPredicate('employedBy')), terms(spacedPredicate('employed_by')))
  t.strictSame(['dogs', 'cities', 'boxes', 'glass', 'is'].map(singular), [
    'dog',
    'city',
    'box',
    'glass',
    'is',
  ])
})

t.test('of a run of marks the first 8 are kept, and keys without one stay what they were', async t => {
  const vowels = (count: number) => `\u0915${'\u0941'.repeat(count)}`
  t.equal(normalizeName(vowels(8)), vowels(8))
  t.equal(normalizeName(vowels(9)), vowels(8))
  t.equal(normalizeName(`a${'\u0301'.repeat(100)} b`), 'a b')
  for (const name of ['Sa\u0303o Paulo', '\u0928\u093f\u0930\u094d\u092d\u0930', '\ufb01\u0301', '\u1e69x'])
    t.equal(normalizeName(name), normalizeName(name.normalize('NFD')))
})
