import t from 'tap'
import { findFormat } from '../../../engine/formats/formats.js'
import { isInProportion, upTo } from '../../steps.js'

/** Content that keeps a reader busy, by its size. */
const files: [format: string, what: string, content: (size: number) => string][] = [
  ['csv', 'a header of brackets', size => `:a${'{}(){}'.repeat(size)}!,b,c\n1,2,3\n`],
  ['csv', 'a header of colons', size => `${':a{'.repeat(size)}!,b,c\n1,2,3\n`],
  [
    'csv',
    'names of marks',
    size => `a,b,c\na${'\u0301'.repeat(450)}${'\u0316'.repeat(450)},b,c\n`.repeat(size / 4),
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
  ['org', 'emphasis', size => '*a /b =c '.repeat(size)],
  ['org', 'brackets', size => '[[a][b\n'.repeat(size)],
  ['org', 'footnotes', size => '[fn:: a\n'.repeat(size)],
  ['org', 'formulas', size => '\\(a\\b $'.repeat(size)],
  ['org', 'spaces', size => `- ${' '.repeat(size)}x\u2028y\n* ${' '.repeat(size)}x\u2028y\n`],
  ['org', 'tags', size => `* a ${':a'.repeat(size)}\u2028\n`],
  ['org', 'a table', size => `${'|a'.repeat(size)}\n`],
  ['tiddlywiki', 'marks', size => `\n${"''a //b __c ^^d ,,e @@f ".repeat(size)}`],
  ['tiddlywiki', 'brackets', size => `\n${'[[a {{b <<c <$d `e [img[f '.repeat(size)}`],
  ['tiddlywiki', 'a table', size => `\n${'|[[a'.repeat(size)}|\n`],
  ['tiddlywiki', 'elements', size => `\n${'<a b="c <'.repeat(size)}\n${'<div a\n'.repeat(size / 4)}`],
  ['tiddlywiki', 'lists of titles', size => `tags: ${'[[a '.repeat(size)}\n\n`],
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
