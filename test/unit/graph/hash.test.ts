import t from 'tap'
import { hashOf, newHashKey } from '../../../engine/graph/collections/hash.js'
import { findString, StringsBuilder, stringAt } from '../../../engine/graph/collections/strings.js'

t.test('the hash depends on every unit, their order, the length and the key', t => {
  const key = new Uint32Array([0x03020100, 0x07060504])
  const seen = new Set<number>()
  for (let length = 0; length < 2_000; length++) seen.add(hashOf('x'.repeat(length), key))
  t.equal(seen.size, 2_000, 'no two lengths have the same')
  t.not(hashOf('ab', key), hashOf('ba', key))
  t.not(hashOf('a', key), hashOf('a\0', key))
  t.not(hashOf('name', key), hashOf('name', newHashKey()), 'another key, another hash')
  t.end()
})

t.test('strings are found under their number, whatever the key', t => {
  const builder = new StringsBuilder()
  const texts = Array.from({ length: 5_000 }, (_, i) => `text ${i} \u0416`)
  for (const text of texts) builder.add(text)
  const strings = builder.build()
  t.ok(texts.every((text, i) => findString(strings, text) === i && stringAt(strings, i) === text))
  t.equal(findString(strings, 'text'), -1)
  t.end()
})
