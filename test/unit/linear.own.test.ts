import t, { type Test } from 'tap'
import { findFormat } from '../../formats/readers/index.js'
import { duplicates } from '../../graph/browse/duplicates.js'
import { findString, StringsBuilder } from '../../graph/collections/strings.js'
import { TripleTable } from '../../graph/collections/triple-table.js'
import { buildIndex } from '../../graph/index/build-index.js'
import { Identities } from '../../graph/index/identities.js'
import { fitText } from '../../pictures/text-width.js'
import { excerptOf } from '../../safes/ask/excerpt.js'
import { otherWordsOf } from '../../safes/ask/other-words.js'
import { stepCounter } from '../steps.js'
import { Rows } from './graph/source.js'
import { unkeyedHash, unkeyedTriple } from './graph/unkeyed-hash.js'

const stepsOf = await stepCounter()

/** Something to do of a size. What is needed for it is made before steps are counted. */
type Work = (size: number) => (() => unknown) | Promise<() => unknown>

/** Linear work takes four times as many steps, n log n five times, and quadratic work sixteen times. */
async function isInProportion(t: Test, what: string, work: Work, size = 1_000): Promise<void> {
  const [few, many] = [await stepsOf(await work(size)), await stepsOf(await work(4 * size))]
  t.ok(many <= 6 * few + 500, `${what}: ${few} and ${many} steps`)
}

const upTo = <T>(size: number, item: (at: number) => T): T[] =>
  Array.from({ length: size }, (_, at) => item(at))

/** The first so many of 0, 1, 2, … for which something holds. */
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

/** What a file can say to keep a reader busy, by its size. */
const files: [format: string, what: string, content: (size: number) => string][] = [
  ['csv', 'a header of brackets', size => `:a${'{}(){}'.repeat(size)}!,b,c\n1,2,3\n`],
  ['csv', 'a header of colons', size => `${':a{'.repeat(size)}!,b,c\n1,2,3\n`],
  [
    'csv',
    'names of marks',
    size => `a,b,c\na${'\u0301'.repeat(450)}${'\u0316'.repeat(450)},b,c\n`.repeat(size),
  ],
  ['csv', 'quotes', size => `a,b,c\n${'"",'.repeat(size)}`],
  ['jsonl', 'depth', size => '{"a":'.repeat(size)],
  ['jsonl', 'members', size => `{${upTo(size, at => `"m${at}":1`).join()}}`],
  ['markdown', 'a heading of spaces', size => `# ${' '.repeat(size)}x\u2028y\n`],
  ['markdown', 'a heading of signs', size => `# ${'# '.repeat(size)}x\u2028y\n`],
  ['markdown', 'properties of spaces', size => `key:: ${' '.repeat(3_900)}x\u2028y\n`.repeat(size)],
  ['markdown', 'front matter of spaces', size => `---\nkey:${' '.repeat(size)}x\u2028y\n---\n`],
  ['markdown', 'a list of spaces', size => `---\nkey:\n -${' '.repeat(size)}x\u2028y\n---\n`],
  ['markdown', 'a comment of spaces', size => `---\nkey: x${' '.repeat(size)}y\n---\n`],
  ['markdown', 'emphasis', size => '_a*'.repeat(size)],
  ['markdown', 'brackets', size => '['.repeat(size)],
  ['markdown', 'links', size => '[[a'.repeat(size)],
  ['markdown', 'fields', size => 'a:: '.repeat(size)],
  ['markdown', 'bracketed fields', size => '[a:: '.repeat(size)],
  ['markdown', 'code', size => '` `` '.repeat(size)],
  ['markdown', 'quotes', size => '> '.repeat(size)],
  ['markdown', 'YAML braces', size => `---\na: ${'{'.repeat(size)}\n---\n`],
  ['markdown', 'YAML quotes', size => `---\n${`a: ${'"'.repeat(900)}\n`.repeat(size / 4)}---\n`],
  [
    'markdown',
    'front matter that never ends',
    size => `---\n${`a: ${'"'.repeat(900)}\n`.repeat(size + 300)}`,
  ],
  ['markdown', 'YAML aliases', size => `---\na: [&a [x, x], ${'[*a, *a], '.repeat(size)}]\n---\n`],
  ['text', 'spaces', size => ' '.repeat(100 * size)],
  ['ntriples', 'an IRI of slashes', size => `<http://e/a> <http://e/${'/'.repeat(size)}x> <http://e/b> .\n`],
  ['ntriples', 'a long literal', size => `<http://e/a> <http://e/p> "${'\\u0061'.repeat(size)}" .`],
  ['turtle', 'a long literal', size => `<http://e/a> <http://e/p> "${'a'.repeat(100 * size)}" .`],
]

t.test('a file is read in proportion to its size, whatever it says', async t => {
  const read = (format: string, content: string) => async () => {
    const bytes = Buffer.from(content)
    const chunks = (async function* () {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
    })()
    for await (const _batch of findFormat(format)?.parse(chunks) ?? []);
  }
  for (const [format, what, content] of files)
    await isInProportion(t, `${format}, ${what}`, size => read(format, content(size)), 200)
})
