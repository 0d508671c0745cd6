import { readdirSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { openArchive } from '../../../domain/safes/imports/import-archive.js'
import { docx } from '../../docx.js'
import { pdfPage } from '../../pdf.js'
import { type ZipEntry, zip } from '../../zip.js'
import { NO_ROWS, openSafe } from './open.js'

async function opened(t: Test) {
  const safe = await openSafe(t)
  return { ...safe, read: (bytes: Buffer, more = {}) => safe.add('vault.zip', bytes, more) }
}

const note = (name: string, content = 'Knows [[Ada]].'): ZipEntry => ({ name, content })
const inner = (name: string, ...entries: ZipEntry[]): ZipEntry => ({ name, content: zip(entries) })

t.test('a zip of notes is read as a vault: links between its notes, sources by path', async t => {
  const { read, rows, spoolFolder } = await opened(t)
  const done = await read(
    zip([
      note('vault/Ada.md', 'Wrote [[Note G]].'),
      note('vault/sub/Babbage.md'),
      note('vault/.obsidian/app.json', '{'),
      note('__MACOSX/vault/._Ada.md', '\0'),
      note('vault/node_modules/left/readme.md'),
      note('vault/picture.png', '\0\x01'),
      note('vault/dendron.code-workspace', '{}'),
      note('vault/What is it. A question about nothing', '?'),
      note('vault/table.csv', 'not,read'),
    ]),
  )
  t.match(done, {
    status: 'committed',
    format: 'zip',
    badLineCount: 0,
    counts: { passages: 2, relations: 2 },
    leftOut: [
      { reason: 'unknown', count: 3, endings: ['code-workspace'], names: ['vault/picture.png'] },
      { reason: 'beside_notes', count: 1, endings: ['csv'] },
      { reason: 'hidden', count: 2, endings: [] },
    ],
  })
  const { relations, passages } = await rows()
  t.strictSame(
    relations.map(row => `${row.subject_key} ${row.predicate} ${row.object_key}`),
    ['ada links to note g', 'babbage links to ada'],
  )
  t.strictSame(
    passages.map(row => row.source),
    ['vault/Ada.md', 'vault/sub/Babbage.md'],
  )
  t.strictSame(readdirSync(spoolFolder), [], 'nothing stays on the disk')
})

t.test('beside notes, documents are read, and those that cannot be are left out as links are', async t => {
  const { read, rows } = await opened(t)
  const entries = [
    note('Ada.md'),
    { name: 'Plan.docx', content: docx('<w:p><w:r><w:t>Paint the boat.</w:t></w:r></w:p>') },
    note('tea.ics', 'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Tea\nEND:VEVENT\nEND:VCALENDAR\n'),
    { name: 'scan.pdf', content: pdfPage(['<<>>', Buffer.from('')]) },
    note('pointer.pdf', 'version https://git-lfs.github.com/spec/v1\n'),
    note('page.html', '<p>No.'),
    { ...note('link.md', '/etc/passwd'), mode: 0o120777 },
  ]
  t.match(await read(zip(entries)), {
    status: 'committed',
    leftOut: [
      { reason: 'beside_notes', count: 1, endings: ['html'] },
      { reason: 'links', count: 1, endings: [] },
      { reason: 'unreadable', count: 2, names: ['scan.pdf', 'pointer.pdf'] },
    ],
  })
  t.strictSame(
    (await rows()).passages.map(({ source, text }) => [source, text.slice(0, 15)]),
    [
      ['Ada.md', 'Knows [[Ada]].'],
      ['Plan.docx', 'Paint the boat.'],
      ['tea.ics', 'Tea'],
    ],
  )
  const alone = await read(zip(entries.filter(({ name }) => !String(name).endsWith('.md'))))
  t.match(alone, { status: 'failed', badLineCount: 2 }, 'without notes, they count as bad lines')
})

t.test('line ends in the notes of a vault of Obsidian are shown, unless it is told otherwise', async t => {
  const { read, rows } = await opened(t)
  await read(
    zip([
      note('lined/.obsidian/app.json', '{}'),
      note('lined/Ada.md'),
      note('strict/.obsidian/app.json', '{"strictLineBreaks": true}'),
      note('strict/Ada.md'),
      note('other/Ada.md'),
    ]),
  )
  const { documents } = await rows()
  t.same(Object.fromEntries(documents.map(({ path, kind }) => [path, kind])), {
    'lined/Ada.md': 'markdown-lines',
    'strict/Ada.md': 'markdown',
    'other/Ada.md': 'markdown',
  })
})

t.test('a zip of tables, triples and text is read file by file', async t => {
  const { read, rows } = await opened(t)
  const fixture = (name: string) => readFileSync(new URL(`../../fixtures/${name}`, import.meta.url))
  const done = await read(
    zip([
      { name: 'movies.csv', content: fixture('movies.csv') },
      { name: 'roles.csv', content: fixture('roles.csv') },
      { name: 'people.nt', content: '_:a <http://e/knows> _:b .' },
      { name: 'more.nt', content: '_:a <http://e/knows> _:b .' },
      { name: 'readme.txt', content: 'About films.' },
      { name: 'questions.json', content: '{"question":"Which films?"}' },
    ]),
  )
  const leftOut = [{ reason: 'unknown', count: 1, endings: [], names: ['questions.json'] }]
  t.match(done, { status: 'committed', badLineCount: 0, leftOut })
  const { entities, passages } = await rows()
  t.match(
    entities.filter(row => row.key === 'movie id tt0133093'),
    [{ name: 'The Matrix', type: 'movie id' }],
  )
  t.equal(entities.filter(row => row.key.startsWith('_:')).length, 4, 'blank nodes stay in their file')
  t.match(
    passages.filter(row => row.source === 'readme.txt'),
    [{ entity_key: 'readme' }],
  )
})

t.test('names in UTF-8, with and without saying so, and in code page 437', async t => {
  const { read, rows } = await opened(t)
  await read(
    zip([
      { name: 'Zoë.md', content: 'a', flags: 0x800 },
      { name: 'Müller.md', content: 'a' },
      { name: Buffer.from('caf\x82.md', 'latin1'), content: 'a' },
      { name: 'back\\slash.md', content: 'a' },
    ]),
  )
  t.strictSame((await rows()).entities.map(row => row.name).sort(), ['Müller', 'Zoë', 'café', 'slash'].sort())
})

t.test('a forbidden archive entry is reported by name, and nothing is kept (DESIGN §7)', async t => {
  const { domain, id, read, rows, spoolFolder } = await opened(t)
  const cases: [ZipEntry, RegExp][] = [
    [note('../../etc/cron.md'), /points outside/],
    [note('/etc/cron.md'), /points outside/],
    [note('C:/cron.md'), /points outside/],
    [note('a/..\\..\\b.md'), /points outside/],
    [{ ...note('secret.md'), flags: 1 }, /encrypted/],
    [{ ...note('lzma.md'), method: 14 }, /not supported/],
    [note('inner.zip', zip([note('a.md')]).toString('latin1')), /archive that cannot be read/],
    [inner('in.zip', inner('more.zip', note('a.md'))), /inside an archive inside the archive/],
    [inner('in.zip', { name: 'zeros.md', content: Buffer.alloc(40_000_000) }), /more than 200 times/],
    [note('bomb.md', 'a'.repeat(3_000_000)), /200 times/],
    [{ ...note('liar.md', 'a'.repeat(300_000)), size: 10 }, /cannot be read/],
    [{ ...note('liar.md'), size: 10_000 }, /cannot be read/],
    [note('nul.md', 'a\0b'), /NUL/],
  ]
  for (const [entry, problem] of cases) {
    const done = await read(zip([note('first.md'), entry]))
    t.match(done, { status: 'failed', badLineCount: 1, badLines: [{ problem }] }, String(problem))
    t.ok(done.badLines[0]?.file, `${entry.name} is named`)
    t.same(await rows(), NO_ROWS)
    const rest = await read(zip([note('first.md'), entry]), { skipBad: true, commit: false })
    t.match(rest, { status: 'staged', counts: { passages: 1 } }, `${entry.name}: the rest may be read`)
    await domain.imports.undo('ann', id, rest.id)
    await domain.idle()
  }
  t.strictSame(readdirSync(spoolFolder), [])
})

t.test('a file that is no archive, or a bomb, is refused as a whole', async t => {
  const { read, rows, spoolFolder } = await opened(t)
  const good = zip([note('a.md'), note('b.md')])
  const bomb = zip(Array.from({ length: 40 }, (_, i) => note(`${i}.md`, 'a'.repeat(1_000_000))))
  const cases: [string, Buffer, RegExp][] = [
    ['no zip', Buffer.from('hello'), /archive cannot be read/],
    ['empty', Buffer.alloc(0), /archive cannot be read/],
    ['cut off', good.subarray(0, -10), /archive cannot be read/],
    ['its table is gone', Buffer.concat([Buffer.alloc(50), good.subarray(-22)]), /archive cannot be read/],
    ['a bomb of small files', bomb, /200 times/],
    ['nothing to read', zip([note('a.png')]), /nothing to import/],
    [
      'many archives',
      zip(Array.from({ length: 52 }, (_, i) => inner(`${i}.zip`, note('a.md')))),
      /50 archives/,
    ],
  ]
  for (const [what, bytes, problem] of cases) {
    const done = await read(bytes)
    t.equal(done.status, 'failed', what)
    t.match(done.problem, problem, what)
    t.same(await rows(), NO_ROWS, what)
  }
  t.strictSame(readdirSync(spoolFolder), [])
})

t.test('an archive is read up to each limit, archives inside it included, and not beyond', async t => {
  const folder = t.testdir()
  const inner = zip([note('Ada.md', 'abc')]).toString('latin1')
  const whole = zip([
    note('b.md', 'abc'),
    note('.hidden.md'),
    { ...note('lzma.md'), method: 14 },
    { name: 'in/more.zip', content: Buffer.from(inner, 'latin1') },
  ])
  const most = { bytes: whole.length, unpacked: 6 + inner.length, files: 5, inner: 1 }
  const archive = await openArchive(Readable.from([whole]), folder, most)
  t.same(
    archive.files.map(({ path }) => path),
    ['b.md', 'in/more/Ada.md'],
  )
  t.match(archive, { hidden: 1, problems: [{ file: 'lzma.md', problem: /not supported/ }] })
  archive.close()
  for (const { open } of archive.files) await t.rejects(async () => open(), /closed/)
  for (const [limit, problem] of [
    ['bytes', /larger than 512 MiB/],
    ['unpacked', /larger than 4 GiB/],
    ['files', /more than 50,000 files/],
    ['inner', /more than 0 archives/],
  ] as const) {
    const less = { ...most, [limit]: most[limit] - 1 }
    await t.rejects(openArchive(Readable.from([whole]), folder, less), { message: problem }, limit)
  }
  t.strictSame(readdirSync(folder), [])
})

t.test('an archive is an export of ours if the mark is at its top', async t => {
  for (const [name, isExport] of [
    ['.safe-export.json', true],
    ['sub/.safe-export.json', undefined],
  ] as const) {
    const archive = await openArchive(Readable.from([zip([note(name)])]), t.testdir())
    t.equal(archive.isExport, isExport, name)
    archive.close()
  }
})

t.test('a changed byte is noticed, or means something else, but never breaks the service', async t => {
  const { read, spoolFolder } = await opened(t)
  const whole = zip([note('a.md', 'Some text to pack. '.repeat(20)), note('b/c.md')])
  for (let at = 0; at < whole.length; at += 23) {
    const changed = Buffer.from(whole)
    changed[at] = (changed[at] ?? 0) ^ 0xff
    const done = await read(changed, { commit: false })
    t.ok(['failed', 'staged'].includes(done.status), `byte ${at}: ${done.problem}`)
  }
  t.strictSame(readdirSync(spoolFolder), [])
})

t.test('one note in an older character set is read as it is meant, and the report says so', async t => {
  const { read, rows } = await opened(t)
  const old = (text: string) => Buffer.from(text, 'latin1')
  const entries = [
    note('Good.md', 'Été.'),
    { name: 'Old.md', content: old('\xc9t\xe9 et hiver.') },
    { name: 'Russian.md', content: old('\xcc\xe0\xf1\xeb\xee \xe8 \xf4\xe8\xf2\xe8\xeb\xfc') },
    { name: 'Damaged.md', content: old('\xc3\x89t\xc3\xa9, \xe2\x82\xac \xff.') },
  ]
  t.match(await read(zip(entries)), {
    status: 'committed',
    badLineCount: 0,
    remarks: {
      count: 3,
      first: [
        { file: 'Old.md', problem: /not in UTF-8.*windows-1252/ },
        { file: 'Russian.md', problem: /windows-1251/ },
        { file: 'Damaged.md', problem: /Some bytes/ },
      ],
    },
  })
  t.strictSame(
    (await rows()).passages.map(({ text }) => text),
    ['Été.', 'Été et hiver.', 'Масло и фитиль', 'Été, € \ufffd.'],
  )
})
