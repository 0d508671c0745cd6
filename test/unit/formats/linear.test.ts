import t from 'tap'
import { findFormat } from '../../../formats/readers/index.js'
import { localName } from '../../../formats/readers/rdf.js'
import { normalizeName, words } from '../../../graph/text/text.js'
import { chunks, text } from './read.js'

/** Milliseconds of processor time that reading any of these may take; each took seconds or minutes. */
const longest = 300

/** What a file of a few kilobytes can say to keep a reader busy. */
const files: [name: string, format: string, content: string][] = [
  ['a header of brackets', 'csv', `:a${'{}(){}'.repeat(2_000)}!,b,c\n1,2,3\n`],
  ['a header of colons', 'csv', `${':a{'.repeat(4_000)}!,b,c\n1,2,3\n`],
  ['a heading of spaces', 'markdown', `# ${' '.repeat(3_900)}x\u2028y\n`],
  ['a heading of signs', 'markdown', `# ${'# '.repeat(1_900)}x\u2028y\n`],
  ['properties of spaces', 'markdown', `key:: ${' '.repeat(3_900)}x\u2028y\n`.repeat(20)],
  ['front matter of spaces', 'markdown', `---\nkey:${' '.repeat(90_000)}x\u2028y\n---\n`],
  ['a list of spaces', 'markdown', `---\nkey:\n -${' '.repeat(90_000)}x\u2028y\n---\n`],
  ['a comment of spaces', 'markdown', `---\nkey: x${' '.repeat(90_000)}y\n---\n`],
  ['an IRI of slashes', 'ntriples', `<http://e/a> <http://e/${'/'.repeat(90_000)}x> <http://e/b> .\n`],
  ['a name of marks', 'csv', `a,b,c\na${'\u0301'.repeat(450)}${'\u0316'.repeat(450)},b,c\n`.repeat(50)],
]

t.test('a small file takes little time, whatever it says', async t => {
  for (const { id } of new Set(files.map(([, format]) => findFormat(format)!))) await text(id, 'a,b,c\n')
  for (const [name, format, content] of files) {
    const took = await cpuTime(() => drained(format, content))
    t.ok(took < longest, `${name}: ${Math.round(took)} ms`)
  }
})

t.test('a text of 100,000 combining marks takes little time', async t => {
  const runs = [
    `a${'\u0301'.repeat(50_000)}${'\u0316'.repeat(50_000)}`,
    `a${'\u0e38\u0e38\u0e38\u0e38\u3099\u3099\u3099\u3099\u200b'.repeat(11_000)}`,
    `a${'\u0316\u0316\u0316\u0316\u0316\u0316\u0316\u0316\uff9e'.repeat(11_000)}`,
  ]
  for (const run of runs) {
    const took = await cpuTime(async () => [normalizeName(run), words(run)])
    t.ok(took < longest, `${Math.round(took)} ms`)
  }
})

t.test(
  'a run of up to 8 marks is kept, of a longer one the first 8; keys without one stay what they were',
  t => {
    const vowels = (count: number) => `\u0915${'\u0941'.repeat(count)}`
    t.equal(normalizeName(vowels(8)), vowels(8))
    t.equal(normalizeName(vowels(9)), vowels(8))
    t.equal(normalizeName(`a${'\u0301'.repeat(100)} b`), 'a b')
    for (const name of ['Sa\u0303o Paulo', '\u0928\u093f\u0930\u094d\u092d\u0930', '\ufb01\u0301', '\u1e69x'])
      t.equal(normalizeName(name), normalizeName(name.normalize('NFD')))
    t.end()
  },
)

t.test('the local name of an IRI is what follows its last separator', t => {
  for (const [iri, name] of [
    ['http://e/a_b#', 'a b'],
    ['http://e/a//', 'a'],
    ['http://e/x#y', 'y'],
    ['///', '///'],
  ] as const)
    t.equal(localName(iri), name)
  t.end()
})

async function drained(format: string, content: string): Promise<void> {
  for await (const _batch of findFormat(format)!.parse(chunks(content, 65_536)));
}

async function cpuTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
