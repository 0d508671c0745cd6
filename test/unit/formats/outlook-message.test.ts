import t from 'tap'
import { formatOfFile } from '../../../engine/formats/formats.js'
import { identify } from '../../../engine/formats/identify.js'
import { compoundFile, type StorageContent } from '../../compound-file.js'
import { chunks, passages, problems, read, shown } from './read.js'
import { documentSink } from './sink.js'

const unicode = (text: string) => Buffer.from(text, 'utf16le')

/** Properties of a fixed length, by id and type, behind a head of some bytes (MS-OXMSG §2.4). */
function properties(head: number, values: readonly [id: number, type: number, value: bigint][] = []): Buffer {
  const bytes = Buffer.alloc(head + values.length * 16)
  for (const [at, [id, type, value]] of values.entries()) {
    bytes.writeUInt16LE(type, head + at * 16)
    bytes.writeUInt16LE(id, head + at * 16 + 2)
    bytes.writeBigUInt64LE(value, head + at * 16 + 8)
  }
  return bytes
}

/** A time as Windows counts it (FILETIME). */
const fileTime = (time: number) => BigInt(time + 11_644_473_600_000) * 10_000n
const submitted = (time: bigint) => properties(32, [[0x0039, 0x40, time]])

const person = (name: string, address: string, role: bigint): StorageContent => ({
  '__properties_version1.0': properties(8, [[0x0c15, 3, role]]),
  '__substg1.0_3001001F': unicode(name),
  '__substg1.0_39FE001F': unicode(address),
})
const attached = (name: string, bytes: Buffer): StorageContent => ({
  '__properties_version1.0': properties(8),
  '__substg1.0_3707001F': unicode(name),
  '__substg1.0_37010102': bytes,
})

const boat: StorageContent = {
  '__properties_version1.0': submitted(fileTime(Date.UTC(2024, 4, 3, 8, 12))),
  '__substg1.0_0037001F': unicode('Re: The boat'),
  '__substg1.0_0C1A001F': unicode('Ada Lovelace'),
  '__substg1.0_0C1F001F': unicode('/o=Harbour/cn=ada'),
  '__substg1.0_5D01001F': unicode('ada@example.org'),
  '__substg1.0_1000001F': unicode(`Shall we paint it?\r\n${'It is green. '.repeat(400)}`),
  '__substg1.0_1035001F': unicode('<2@example.org>'),
  '__substg1.0_1042001F': unicode('<1@example.org>'),
  '__recip_version1.0_#00000000': person('Bob', 'bob@example.org', 1n),
  '__recip_version1.0_#00000001': person('Cyd', 'cyd@example.org', 2n),
  '__attach_version1.0_#00000000': attached('note.txt', Buffer.from('Buy paint')),
  '__attach_version1.0_#00000001': {
    '__properties_version1.0': properties(8),
    '__substg1.0_3701000D': {
      '__properties_version1.0': properties(24),
      '__substg1.0_0037001F': unicode('Colours'),
      '__substg1.0_1000001F': unicode('Red or blue.'),
    },
  },
}

const readMessage = (bytes: Buffer) =>
  read('outlook', chunks(bytes, 999), { path: 'a.msg', formatInside: formatOfFile })

t.test('a message of Outlook: people, time, text, and what is attached (MS-OXMSG)', async t => {
  const parsed = await readMessage(compoundFile(boat))
  t.strictSame(problems(parsed), [])
  const things = shown(parsed).filter(line => /^(?:mail|\w+@)/.test(line))
  t.strictSame(things, [
    'mail 1@example.org is The boat (conversation)',
    'ada@example.org is Ada Lovelace (person)',
    'ada@example.org alias ada@example.org',
    'mail 1@example.org — has a message from → ada@example.org',
    'bob@example.org is Bob (person)',
    'bob@example.org alias bob@example.org',
    'mail 1@example.org — has a message to → bob@example.org',
    'cyd@example.org is Cyd (person)',
    'cyd@example.org alias cyd@example.org',
    'mail 1@example.org — has a message to → cyd@example.org',
    'mail 1@example.org — has attachment → note.txt',
  ])
  const [first, ...more] = passages(parsed)
  t.equal(first?.time, Date.UTC(2024, 4, 3, 8, 12))
  t.match(more.at(-1), { title: 'note', text: 'Buy paint' })
  t.ok(more.some(({ text }) => text.includes('Colours\n\nRed or blue.')))
})

t.test('a message of Outlook: the address of a sender of Exchange', async t => {
  const sender = {
    '__substg1.0_0C1A001F': unicode('Ada'),
    '__substg1.0_0C1F001F': unicode('/o=Harbour/cn=ada'),
  }
  const smtp = { '__substg1.0_5D0A001F': unicode('ada@example.org') }
  for (const [more, from] of [
    [
      { '__substg1.0_007D001F': unicode('To: <b@example.org>\r\nFrom: "Ada"\r\n\t<ada@example.org>') },
      'ada@example.org',
    ],
    [{ ...smtp, '__substg1.0_4023001F': unicode('/o=Harbour/cn=ada') }, 'ada@example.org'],
    [{ ...smtp, '__substg1.0_4023001F': unicode('/o=Harbour/cn=bob') }, 'Ada'],
  ] as const) {
    const message = { '__properties_version1.0': properties(32), ...sender, ...more }
    const lines = shown(await readMessage(compoundFile(message)))
    t.match(lines.join('\n'), `has a message from → ${from}`)
  }
})

t.test('a message of Outlook in an old code page, with a forged date', async t => {
  const parsed = await readMessage(
    compoundFile({
      '__properties_version1.0': properties(32, [
        [0x0039, 0x40, fileTime(Date.UTC(2500, 0))],
        [0x3ffd, 3, 1251n],
      ]),
      '__substg1.0_0037001E': Buffer.from([0xcb, 0xee, 0xe4, 0xea, 0xe0]),
      '__substg1.0_10130102': Buffer.from('<p>Зелёная<p>лодка'),
    }),
  )
  t.match(passages(parsed), [{ title: 'Лодка > Unknown sender', time: undefined, text: /лодка/ }])
})

t.test('a compound file is a message of Outlook by its name or by what is in it', t => {
  const bytes = compoundFile(boat)
  t.match(identify('a.msg', bytes), { format: { id: 'outlook' } })
  t.match(identify('a', bytes), { format: { id: 'outlook' } })
  t.match(identify('a.doc', compoundFile({ WordDocument: Buffer.from('x') })), { unreadable: /\.docx/ })
  t.end()
})

t.test('a damaged or hostile message of Outlook is refused, or read without its damage', async t => {
  const whole = compoundFile(boat)
  const changed = (at: number, value: number) => {
    const bytes = Buffer.from(whole)
    bytes.writeUInt32LE(value, at)
    return bytes
  }
  /** The sector after the header is the table of all sectors. */
  const next = (sector: number) => 512 + sector * 4
  const directory = whole.readUInt32LE(48)
  const entry = (at: number) => 512 * (directory + 1) + at * 128
  const text = whole.readUInt32LE(entry(6) + 116)
  const cases: [what: string, bytes: Buffer, refusal: RegExp | null][] = [
    ['a chain that is a circle', changed(next(text), text), /damaged/],
    ['a directory that is a circle', changed(next(directory), directory), /damaged/],
    ['a list of tables that is a circle', changed(68, directory), null],
    ['a chain that leaves the file', changed(next(text), 0x0fffffff), /damaged/],
    ['a stream longer than the file', changed(entry(6) + 120, 0x7fffffff), /damaged/],
    ['entries that are beside themselves', changed(entry(1) + 72, 1), /neither a sender/],
    ['a storage inside itself', changed(entry(9) + 76, 9), null],
    ['another signature', changed(0, 0), /damaged/],
    ['sectors of no size', changed(30, 0), /damaged/],
    ['the header alone', whole.subarray(0, 512), /damaged/],
    ['cut', whole.subarray(0, 2_000), /damaged/],
    ['no compound file', Buffer.from('From: a@b.c'), /damaged/],
  ]
  for (const [what, bytes, refusal] of cases)
    if (refusal) await t.rejects(readMessage(bytes), { message: refusal }, what)
    else t.not((await readMessage(bytes)).length, 0, what)
})

/** The names of properties (MS-OXMSG §2.2.3): each with the beginning of its set's GUID and its number, and an id from 0x8000 on. */
function named(names: readonly [set: number, name: number][]): StorageContent {
  const sets = [...new Set(names.map(([set]) => set))]
  const guids = Buffer.alloc(sets.length * 16)
  for (const [at, set] of sets.entries()) guids.writeUInt32LE(set, at * 16)
  const entries = Buffer.alloc(names.length * 8)
  for (const [at, [set, name]] of names.entries()) {
    entries.writeUInt32LE(name, at * 8)
    entries.writeUInt16LE((sets.indexOf(set) + 3) << 1, at * 8 + 4)
    entries.writeUInt16LE(at, at * 8 + 6)
  }
  return { '__substg1.0_00020102': guids, '__substg1.0_00030102': entries }
}

const [APPOINTMENT, TASK, ADDRESS] = [0x00062002, 0x00062003, 0x00062004]
const item = (
  kind: string,
  subject: string,
  names: readonly [set: number, name: number][],
  values: readonly [id: number, type: number, value: bigint][],
  more: StorageContent,
): StorageContent => ({
  '__properties_version1.0': properties(32, values),
  '__nameid_version1.0': named(names),
  '__substg1.0_001A001F': unicode(kind),
  '__substg1.0_0037001F': unicode(subject),
  ...more,
})

t.test('an appointment, a task and a contact of Outlook are read as such', async t => {
  const at = (hour: number) => fileTime(Date.UTC(2024, 4, 3, hour))
  const appointment = item(
    'IPM.Appointment',
    'Paint, at last; or not',
    [
      [APPOINTMENT, 0x820d],
      [APPOINTMENT, 0x820e],
      [APPOINTMENT, 0x8208],
      [APPOINTMENT, 0x8232],
    ],
    [
      [0x8000, 0x40, at(8)],
      [0x8001, 0x40, at(9)],
    ],
    {
      '__substg1.0_8002001F': unicode('Pier 3'),
      '__substg1.0_8003001F': unicode('every Friday'),
      '__substg1.0_0C1A001F': unicode('Ada "Countess" Lovelace'),
      '__substg1.0_5D01001F': unicode('ada@example.org'),
      '__substg1.0_1000001F': unicode('Bring\r\nbrushes: red'),
      '__recip_version1.0_#00000000': person('Bob', 'bob@example.org', 1n),
    },
  )
  const wholeDay = item(
    'IPM.Appointment',
    'Regatta',
    [
      [APPOINTMENT, 0x820d],
      [APPOINTMENT, 0x8215],
    ],
    [
      [0x8000, 0x40, fileTime(Date.UTC(2024, 4, 2, 22))],
      [0x8001, 0x0b, 1n],
    ],
    {},
  )
  const undated = item('IPM.Appointment', 'Ask', [], [], {
    '__substg1.0_0C1A001F': unicode('Harbour  office'),
    '__recip_version1.0_#00000000': person('', 'bob@example.org', 1n),
  })
  const task = item(
    'IPM.Task',
    'Buy paint',
    [
      [TASK, 0x8105],
      [TASK, 0x8101],
    ],
    [
      [0x8000, 0x40, fileTime(Date.UTC(2024, 4, 3))],
      [0x8001, 3, 2n],
    ],
    {},
  )
  const contact = item('IPM.Contact', 'x', [[ADDRESS, 0x8083]], [], {
    '__substg1.0_3001001F': unicode('Ada Lovelace'),
    '__substg1.0_3A16001F': unicode('Harbour; Ltd'),
    '__substg1.0_3A1C001F': unicode('+47 123'),
    '__substg1.0_8000001F': unicode('ada@example.org'),
  })
  for (const [content, records, text] of [
    [
      appointment,
      [
        'event Paint, at last; or not 2024-05-03T08:00:00Z — organizer → ada@example.org',
        'event Paint, at last; or not 2024-05-03T08:00:00Z — attendee → bob@example.org',
        'event Paint, at last; or not 2024-05-03T08:00:00Z — takes place at → Pier 3',
      ],
      /^Paint, at last; or not\nWhen: 2024-05-03 08:00 – 09:00 \(UTC\)\nWhere: Pier 3\nOrganizer: Ada Countess Lovelace <ada@example.org>\nWith: Bob <bob@example.org>\nevery Friday\nBring\nbrushes: red$/s,
    ],
    [wholeDay, [], /^Regatta\nWhen: 2024-05-03$/],
    [undated, [], /^Ask\nOrganizer: Harbour office\nWith: bob@example.org$/],
    [task, ['task Buy paint is Buy paint (task)'], /^Buy paint\nDue: 2024-05-03\nStatus: completed$/],
    [
      contact,
      ['ada@example.org is Ada Lovelace (person)', 'ada@example.org — works for → Harbour; Ltd'],
      /^Ada Lovelace\nE-mail: ada@example.org\nPhone: \+47 123 \(mobile\)\nOrganization: Harbour; Ltd$/,
    ],
  ] as const) {
    const document = documentSink()
    const bytes = compoundFile(content)
    const parsed = await read('outlook', chunks(bytes, 999), { path: 'a.msg', document })
    t.strictSame(problems(parsed), [])
    for (const record of records)
      t.ok(shown(parsed).includes(record), `${record}\n${shown(parsed).join('\n')}`)
    t.match(passages(parsed), [{ text }])
    t.match(document.said, [{ text: /\S/ }])
  }
})

t.test('names of properties that lead nowhere are passed over', async t => {
  const names = Buffer.alloc(20_008, 0xff)
  for (const content of [
    { '__substg1.0_00020102': Buffer.alloc(3), '__substg1.0_00030102': names },
    { '__substg1.0_00030102': Buffer.from([1]) },
    {},
  ]) {
    const bytes = compoundFile({
      ...item('IPM.Appointment', 'Paint', [], [], {}),
      '__nameid_version1.0': content,
    })
    t.match(passages(await read('outlook', chunks(bytes, 9_999), { path: 'a.msg' })), [{ text: 'Paint' }])
  }
})
