import t from 'tap'
import { excerptOf } from '../../../domain/safes/ask/excerpt.js'
import { otherWordsOf } from '../../../domain/safes/ask/other-words.js'
import { duplicates } from '../../../engine/graph/browse/duplicates.js'
import { findString, StringsBuilder } from '../../../engine/graph/collections/strings.js'
import { TripleTable } from '../../../engine/graph/collections/triple-table.js'
import { buildIndex } from '../../../engine/graph/index/build-index.js'
import { Identities } from '../../../engine/graph/index/merged.js'
import { fitText } from '../../../engine/pictures/text-width.js'
import { isInProportion, upTo } from '../../steps.js'
import { Rows } from './source.js'
import { unkeyedHash, unkeyedTriple } from './unkeyed-hash.js'

/** The first of 0, 1, 2, … that satisfy a condition. */
function chosen<T>(size: number, item: (at: number) => T, isRight: (item: T) => boolean): T[] {
  const found: T[] = []
  for (let at = 0; found.length < size; at++) {
    const next = item(at)
    if (isRight(next)) found.push(next)
  }
  return found
}

t.test('names and facts that share bits of an unkeyed hash (hash flooding, ADR 29)', async t => {
  await isInProportion(t, 'names', size => {
    const names = chosen(
      size,
      at => `n${at.toString(36)}`,
      name => unkeyedHash(name) >>> 24 === 7,
    )
    return () => {
      const builder = new StringsBuilder()
      for (const name of names) builder.add(name)
      const strings = builder.build()
      for (const name of names) findString(strings, name)
    }
  })
  await isInProportion(t, 'facts', size => {
    const pair = (at: number) => [at % 3_000, Math.floor(at / 3_000)] as const
    const facts = chosen(size, pair, ([first, third]) => (unkeyedTriple(first, 0, third) & 0xff00) === 0)
    return () => {
      const table = new TripleTable()
      for (const [first, third] of facts) table.add(first, 0, third)
    }
  })
})

t.test('statements in one chain or circle, periods of one fact, names that begin and end alike', async t => {
  for (const isCircle of [false, true])
    await isInProportion(t, isCircle ? 'circle' : 'chain', size => () => {
      const identities = new Identities()
      for (let at = 0; at < size; at++) identities.add({ key: `k${at}`, sameAs: `k${at + 1}` })
      if (isCircle) identities.add({ key: `k${size}`, sameAs: 'k0' })
      t.equal(new Set(identities.resolve().values()).size, 1)
    })
  await isInProportion(t, 'periods', async size => {
    const day = (at: number) => new Date(at * 86_400_000).toISOString().slice(0, 10)
    const met = { type: 'relation', from: 'Ada', to: 'Bo', relationType: 'met' }
    const facts = upTo(size, at => JSON.stringify({ ...met, validFrom: day(at), validTo: day(at) }))
    const rows = await new Rows().add('jsonl', facts.join('\n'))
    return async () => t.equal((await buildIndex(rows)).facts.count, size)
  })
  await isInProportion(t, 'names', async size => {
    const letters = (at: number) => at.toString(26).replace(/\d/g, digit => 'qrstuvwxyz'[Number(digit)] ?? '')
    const name = (at: number) => `harbour ${letters(at)} lighthouse`
    const entities = upTo(size, at => JSON.stringify({ type: 'entity', name: name(at), observations: [] }))
    const index = await buildIndex(await new Rows().add('jsonl', entities.join('\n')))
    return () => duplicates(index, { apart: [], limit: 100 })
  })
})

t.test('texts of questions, answers and pictures', async t => {
  for (const text of [',', 'a', '[', 'a,', ' '])
    await isInProportion(t, `other words of “${text}”`, size => () => otherWordsOf(text.repeat(100 * size)))
  const stems = upTo(300, at => String.fromCharCode(97 + (at % 26)))
  for (const text of ['a ', '\u0130', 'abc', '\u{1f680}'])
    await isInProportion(
      t,
      `excerpt of “${text}”`,
      size => () => excerptOf(text.repeat(100 * size), 250, stems),
    )
  await isInProportion(t, 'label', size => () => fitText('x '.repeat(100 * size), 200, 14))
})
