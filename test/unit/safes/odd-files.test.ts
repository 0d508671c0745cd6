import { tmpdir } from 'node:os'
import t from 'tap'
import { piecesOf } from '../../../domain/safes/imports/import-pieces.js'
import { ImportRejected, ImportSource } from '../../../domain/safes/imports/import-source.js'
import { identify } from '../../../engine/formats/identify.js'
import { docx } from '../../docx.js'
import { zip } from '../../zip.js'

/**
 * The result of a file: things, facts, passages and documents; or the reason why it is refused, or its first bad line.
 */
async function outcome(name: string, content: Buffer | string): Promise<string> {
  const bytes = Buffer.from(content as string)
  const found = identify(name, bytes)
  if (found && 'unreadable' in found) return found.unreadable
  const format = found && 'format' in found ? found.format.id : 'zip'
  const source = new ImportSource({ source: name, bytes: only(bytes), format, spoolFolder: tmpdir() })
  const things = new Set<string>()
  let [facts, passages, documents] = [0, 0, 0]
  try {
    for await (const { rows, badLines } of piecesOf(source, 1_000)) {
      const [bad] = badLines
      if (bad) return `${bad.file ?? name}, line ${bad.line}: ${bad.problem}`
      for (const { key } of rows?.entities ?? []) things.add(key)
      facts += rows?.relations.length ?? 0
      passages += rows?.passages.length ?? 0
      documents += rows?.documents?.length ?? 0
    }
  } catch (error) {
    if (error instanceof ImportRejected) return error.message
    throw error
  }
  if (facts + passages + things.size === 0) return 'nothing'
  return `${[...things].sort().join(', ')} (facts ${facts}, passages ${passages}, documents ${documents})`
}

async function* only(bytes: Buffer) {
  yield bytes
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const archive = (name: string, content: Buffer | string, flags = 0) => zip([{ name, content, flags }])
const note = archive('note.md', 'Hello Ada.')
const PEOPLE = 'name,city,born\nAda,London,1815\nBo,Rome,1900\n'

const CASES: [what: string, name: string, content: Buffer | string, comes: string][] = [
  ['an empty table', 'a.csv', '', 'nothing'],
  ['an empty text', 'a.txt', '', 'nothing'],
  ['only a byte order mark', 'a.csv', '\ufeff', 'nothing'],
  ['only blanks', 'a.txt', ' \n\t\n', 'nothing'],
  ['a table', 'people.csv', PEOPLE, 'ada, bo, london, rome (facts 2, passages 2, documents 1)'],
  [
    'a table in UTF-16',
    'people.csv',
    utf16(PEOPLE),
    'ada, bo, london, rome (facts 2, passages 2, documents 1)',
  ],
  [
    'a table in Windows-1252',
    'people.csv',
    latin1('name,city,born\nZoë,Århus,1815\nBo,Rome,1900\n'),
    'arhus, bo, rome, zoe (facts 2, passages 2, documents 1)',
  ],
  [
    'contacts in Windows-1252',
    'people.vcf',
    latin1('BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Zoë Ek\r\nORG:Århus\r\nEND:VCARD\r\n'),
    'arhus, zoe ek (facts 1, passages 1, documents 1)',
  ],
  [
    'semicolons, decimal commas',
    'a.csv',
    'name;price;city\nTea;1,50;Rome\nMilk;2,25;Oslo\n',
    'milk, oslo, rome, tea (facts 2, passages 2, documents 1)',
  ],
  ['a header alone', 'a.csv', 'name,city,born\n', 'nothing'],
  [
    'columns of the same name',
    'a.csv',
    'name,city,city,n\nAda,Rome,Oslo,1\nBo,Paris,Rome,2\n',
    'ada, bo, oslo, paris, rome (facts 4, passages 2, documents 1)',
  ],
  [
    'a quote that is never closed',
    'a.csv',
    'name,city,born,n\nAda,Rome,1,2\nBo,"Oslo,1,2\n',
    '"oslo, ada, bo, rome (facts 2, passages 2, documents 1)',
  ],
  [
    'a row longer than the header',
    'a.csv',
    'name,city,born,n\nAda,Rome,1815,1,more,yet more\nBo,Oslo,1900,2\n',
    'ada, bo, oslo, rome (facts 2, passages 2, documents 1)',
  ],
  [
    'a cell of 2 MB',
    'a.csv',
    `name,city,born,n\nAda,${'x'.repeat(2e6)},1,2\n`,
    'a.csv, line 2: The line is longer than 1 MiB.',
  ],
  [
    'a document called an archive',
    'a.zip',
    docx('<w:p><w:r><w:t>Hello Ada.</w:t></w:r></w:p>'),
    'a.zip (facts 0, passages 1, documents 1)',
  ],
  ['an archive called a document', 'a.docx', note, 'note (facts 0, passages 1, documents 1)'],
  ['an archive in an archive', 'a.zip', archive('b.zip', note), 'note (facts 0, passages 1, documents 1)'],
  [
    'one more around it',
    'a.zip',
    archive('b.zip', archive('c.zip', note)),
    'b/c.zip, line 1: It is an archive inside an archive inside the archive. Only one level is read.',
  ],
  [
    'an archive with a password',
    'a.zip',
    archive('note.md', 'Hello.', 1),
    'note.md, line 1: It is encrypted.',
  ],
  [
    'half an archive',
    'a.zip',
    note.subarray(0, 40),
    'This zip archive cannot be read: it is damaged, or not whole. Get it again.',
  ],
  ['an archive of nothing', 'a.zip', zip([]), 'nothing'],
  [
    'a message without date',
    'a.eml',
    'From: ada@example.com\nMessage-ID: <1@e>\nSubject: Tea\n\nCome at five.\n',
    'ada@example.com, mail 1@e (facts 1, passages 1, documents 1)',
  ],
  [
    'a message without anything',
    'a.eml',
    '\n\n',
    'This is not a mail message: it has neither a sender nor a subject nor a text.',
  ],
  [
    '“From ” in a message',
    'a.mbox',
    'From a@b.c Thu Jan  1 00:00:00 2026\nFrom: ada@example.com\nMessage-ID: <1@e>\nSubject: Tea\n\nFrom here on:\n>From there.\n\nFrom a@b.c Thu Jan  1 00:00:00 2026\nFrom: bo@example.com\nMessage-ID: <2@e>\nIn-Reply-To: <1@e>\nSubject: Re: Tea\n\nYes.\n',
    'ada@example.com, bo@example.com, mail 1@e (facts 2, passages 2, documents 2)',
  ],
  [
    'an event without UID',
    'a.ics',
    'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Tea\nDTSTART:20260101T170000Z\nEND:VEVENT\nEND:VCALENDAR\n',
    'event tea 2026-01-01t17:00:00z (facts 0, passages 1, documents 1)',
  ],
  [
    'a calendar that breaks off',
    'a.ics',
    'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Tea\n',
    'a.ics, line 2: The file ends in the middle of this entry.',
  ],
  [
    'a card of 1996',
    'a.vcf',
    'BEGIN:VCARD\nVERSION:2.1\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Zo=C3=\n=AB\nEND:VCARD\n',
    'zoe (facts 0, passages 1, documents 1)',
  ],
  [
    'a huge number',
    'a.jsonl',
    `{"type":"entity","name":"Ada","observations":["Is 1e999."],"n":1e999}\n`,
    'ada (facts 0, passages 1, documents 1)',
  ],
  [
    'a huge number as a name',
    'a.jsonl',
    `{"type":"entity","name":${'9'.repeat(400)},"observations":[]}\n`,
    'a.jsonl, line 1: "name" is missing or not a text.',
  ],
  ['Turtle of a base alone', 'a.ttl', '@base <http://example.com/> .\n', 'nothing'],
]

t.test('whatever an odd file holds is read, or refused with a sentence', async t => {
  for (const [what, name, content, comes] of CASES) t.equal(await outcome(name, content), comes, what)
})
