/** What readers have stumbled over or might: pieces of which files are made. */
const atoms: Record<string, readonly string[]> = {
  csv: [
    ':a{',
    '{}()',
    ':ID',
    ':START_ID(',
    ':END_ID',
    ':TYPE',
    ',',
    '"',
    '""',
    '\n',
    ';',
    '\t',
    "'=",
    '_id',
    ':string[]',
    '(',
    ')',
    'é',
  ],
  jsonl: [
    '{',
    '}',
    '[',
    '"type"',
    ':',
    '"entity"',
    '"relation"',
    ',',
    '\\u0000',
    '\\ud800',
    '\n',
    '1e999',
    'null',
    '"name"',
    '"',
  ],
  ntriples: [
    '<http://e/',
    '////',
    '>',
    '_:',
    '"',
    '\\"',
    '\\U',
    '^^',
    '@en',
    ' .',
    '\n',
    '#',
    '<<',
    '>>',
    '%',
    'urn:safe:passage:',
  ],
  turtle: [
    '@prefix',
    '@base',
    '<',
    '>',
    '"""',
    "'''",
    '[',
    ']',
    '(',
    ')',
    ';',
    ',',
    '.',
    'a:',
    '_:',
    '\n',
    '\\u',
    '1e',
    'true',
    '^^',
    '{',
  ],
  trig: ['GRAPH', '{', '}', '<a>', '<b>', '<c>', '.', '"""', '[', '(', '\n', '@prefix', '_:x', '<<', '>>'],
  text: ['\n', '\n\n', 'word ', '. ', '\ud83d\ude80', '\u2028', '\u0301', '\u0316', 'A B C ', '\r'],
  markdown: [
    '# ',
    '---\n',
    'key:: ',
    '[[',
    ']]',
    '](',
    '[',
    '(',
    '::',
    '#tag',
    '`',
    '```\n',
    '~~~',
    '\n',
    '- ',
    '> ',
    '\u2028',
    '|',
    'x: [',
    '{',
    '&a',
    '*a',
    '!',
    '"',
    "'",
  ],
}
/** Of these any file may hold many in a row. */
const runs = [
  ' ',
  '\t',
  '\u0301',
  '\u0316',
  '\u0301\u0316',
  '\uff9e',
  '/',
  '#',
  '*',
  '_',
  '=',
  '-',
  "'",
  'a',
  '\u2028',
  '\u{1f600}',
  '[[',
  '((',
  '{{',
  '&',
  '::',
]

export interface NastyFile {
  format: string
  text: string
}

/** The format of the file with this number. */
export function formatOf(number: number): string {
  const formats = Object.keys(atoms)
  return formats[number % formats.length] ?? ''
}

/** The same file for the same number. Most have a few kilobytes, some up to a hundred. */
export function nastyFile(number: number): NastyFile {
  const random = randomFrom(number)
  const format = formatOf(number)
  const own = atoms[format] ?? []
  const most = number % 50 === 0 ? 100_000 : 3_000
  let text = ''
  for (let pieces = 5 + random(200); pieces > 0 && text.length < most; pieces--) {
    const from = random(4) === 0 ? runs : own
    const piece = from[random(from.length)] ?? ''
    text += random(6) === 0 ? piece.repeat(1 + random(most / 4 / piece.length)) : piece
  }
  return { format, text: text.slice(0, most) }
}

/** A generator of numbers below a limit (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = (seed + 1) * 0x6d2b79f5
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * below)
  }
}

/** Files that each held the process for seconds or minutes, whole. */
export const attacks: readonly NastyFile[] = [
  { format: 'csv', text: `:a${'{}(){}'.repeat(2_000)}!,b,c\n1,2,3\n` },
  { format: 'markdown', text: `# ${' '.repeat(3_900)}x\u2028y\n` },
  { format: 'markdown', text: `key:: ${' '.repeat(3_900)}x\u2028y\n`.repeat(100) },
  { format: 'markdown', text: `---\n${`key: ${'"'.repeat(290)}\n`.repeat(300)}---\n` },
  { format: 'ntriples', text: `<http://e/a> <http://e/${'/'.repeat(90_000)}x> <http://e/b> .\n` },
  { format: 'text', text: `a${'\u0301'.repeat(50_000)}${'\u0316'.repeat(50_000)}` },
  { format: 'turtle', text: `<a> <b> ${'('.repeat(200_000)}${')'.repeat(200_000)} .` },
  { format: 'jsonl', text: '['.repeat(500_000) },
  { format: 'jsonl', text: `{"type":"entity","name":"${'\ufdfa'.repeat(300_000)}","observations":[]}` },
]
