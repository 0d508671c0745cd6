import t from 'tap'
import { formatOfFile } from '../../../engine/formats/formats.js'
import { docx } from '../../docx.js'
import { chunks, passages, problems, read, shown, text } from './read.js'
import { documentSink } from './sink.js'

const message = (headers: Record<string, string>, body: string) =>
  `${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body.replaceAll('\n', '\r\n')}`

const question = message(
  {
    From: '"Lovelace, Ada" <Ada@Example.org>',
    To: 'Bob <bob@example.org>',
    Date: 'Fri, 3 May 2024 10:12:00 +0200',
    Subject: 'The boat',
    'Message-ID': '<1@example.org>',
    'X-Gmail-Labels': 'Inbox,Harbour,Unread',
  },
  'Hello Bob,\nshall we paint the boat in June before the regatta begins?\nFrom here it looks green.\n-- \nAda Lovelace\nHarbour street 5, Oslo, Norway\n',
)
const answer = message(
  {
    From: 'Bob <bob@example.org>',
    To: 'Ada Lovelace <ada@example.org>',
    Date: 'Sat, 4 May 2024 08:00:00 +0000',
    Subject: 'Re: The boat',
    'Message-ID': '<2@example.org>',
    'In-Reply-To': '<1@example.org>',
  },
  'Yes, in red.\n\nOn Fri, 3 May 2024 at 10:12, Lovelace, Ada <ada@example.org>\nwrote:\n> Hello Bob, shall we paint the boat in June\n> before the regatta begins?\n',
)
const mailbox = (...messages: string[]) =>
  messages
    .map(text => `From ada@example.org Fri May  3 10:12:00 2024\n${text.replace(/^From /gm, '>From ')}\n`)
    .join('\n')

t.test('mailbox: conversations and people are things; quoted text is read once', async t => {
  for (const size of [1, 50, 10_000]) {
    const document = documentSink()
    const parsed = await read('mbox', chunks(mailbox(question, answer), size), {
      path: 'In.mbox',
      document,
    })
    t.strictSame(problems(parsed), [])
    t.strictSame(shown(parsed), [
      'mail 1@example.org is The boat (conversation)',
      'ada@example.org is Ada Lovelace (person)',
      'ada@example.org alias Ada@Example.org',
      'ada@example.org alias Lovelace, Ada',
      'mail 1@example.org — has a message from → ada@example.org',
      'bob@example.org is Bob (person)',
      'bob@example.org alias bob@example.org',
      'mail 1@example.org — has a message to → bob@example.org',
      'mail 1@example.org — tagged → Harbour',
      'The boat > Ada Lovelace, 2024-05-03: Hello Bob,',
      'mail 1@example.org is The boat (conversation)',
      'bob@example.org is Bob (person)',
      'bob@example.org alias bob@example.org',
      'mail 1@example.org — has a message from → bob@example.org',
      'ada@example.org is Ada Lovelace (person)',
      'ada@example.org alias ada@example.org',
      'mail 1@example.org — has a message to → ada@example.org',
      'The boat > Bob, 2024-05-04: Yes, in red.',
    ])
    const [first, second] = passages(parsed)
    t.match(first?.text, /\nFrom here it looks green\.\n/, 'the mailbox’s own escape is undone')
    t.equal(first?.time, Date.UTC(2024, 4, 3, 8, 12))
    t.match(second?.text, /Yes, in red\.$/, 'neither the quotation nor who is quoted')
    t.strictSame(
      document.said.map(({ name, title, tags }) => [name, title, tags]),
      [
        ['2024-05-03 The boat', 'The boat', ['Harbour']],
        ['2024-05-04 Re: The boat', 'Re: The boat', undefined],
      ],
    )
    t.match(
      document.said[1]?.text,
      /^- From: Bob <bob@example.org>\n- To: Ada Lovelace <ada@example.org>\n- Date: 2024-05-04 08:00\n\nYes, in red/,
    )
  }
})

t.test('mail: addresses that archives of mailing lists hide', async t => {
  for (const [from, person] of [
    ['ada at example.org (Ada Lovelace)', 'ada@example.org is Ada Lovelace (person)'],
    ['ada at example.org (=?iso-8859-1?Q?Ad=E4?=)', 'ada@example.org is Adä (person)'],
    ['ada at example.org (ada at example.org)', 'ada@example.org is ada@example.org (person)'],
  ] as const) {
    const parsed = await read('mail', chunks(`From: ${from}\nSubject: Boat\n\nGreen.`))
    t.ok(shown(parsed).includes(person), from)
  }
})

t.test('mail: what is quoted from elsewhere stays', async t => {
  const [only] = passages(await read('mail', chunks(answer)))
  t.match(only?.text, /Yes, in red\.\n\n> On Fri, 3 May .+\n> wrote:\n\n> Hello Bob, shall we paint/)
  const forwarded =
    'Subject: Fwd\n\nSee below.\n\nFrom: Ada\nSent: Friday\nTo: Bob\nSubject: Paint\n\nRed is fine.'
  const [other] = passages(await read('mail', chunks(forwarded)))
  const [known] = passages(await read('mail', chunks('Subject: a\n\nAda wrote:\n\n> Red.\n\nYes.')))
  t.equal(known?.text, '> Ada wrote:\n\n> Red.\n\nYes.', 'and whom')
  t.match(other?.text, /^See below\.\n\n> From: Ada\n> Sent: Friday\n> To: Bob/, 'and who wrote it')
})

t.test('mail: attachments that can be read are documents of their own', async t => {
  const part = (name: string, bytes: Buffer) =>
    `--b\nContent-Type: application/octet-stream; name="${name}"\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment\n\n${bytes.toString('base64')}\n`
  const body = `--b\nContent-Type: text/html\n\n<p>The <b>plan</b><p>is attached<blockquote type="cite">Send me the plan</blockquote>\n${part('Plan.docx', docx('<w:p><w:r><w:t>Sand the keel</w:t></w:r></w:p>'))}${part('a/../note.txt', Buffer.from('Buy paint'))}${part('photo.jpg', Buffer.from([0xff, 0xd8]))}${part('broken.docx', Buffer.from('PK'))}--b--\n`
  const text = message(
    { From: 'ada@example.org', Subject: 'Plan', 'Content-Type': 'multipart/mixed; boundary=b' },
    body,
  )
  const document = documentSink()
  const parsed = await read('mail', chunks(text), { path: 'mail.eml', document, formatInside: formatOfFile })
  t.strictSame(problems(parsed), [])
  t.strictSame(
    passages(parsed).map(({ title, text }) => [title, text.split('\n').at(-1)]),
    [
      ['Plan > ada@example.org', '> Send me the plan'],
      ['Plan.docx', 'Sand the keel'],
      ['a_.._note', 'Buy paint'],
    ],
  )
  t.ok(shown(parsed).some(line => line.startsWith('Plan.docx — attached to → mail ')))
  t.strictSame(
    document.said.map(({ name, format, text }) => [name, format, text.trim().split('\n').at(-1)]),
    [
      ['', undefined, '> Send me the plan'],
      ['Plan.docx', 'docx', 'Sand the keel'],
      ['a_.._note.txt', 'text', 'Buy paint'],
      ['broken.docx', 'docx', ''],
    ],
  )
})

t.test('mail: forged dates, circles of answers and bytes of any kind do no harm', async t => {
  const circle = (id: number, to: number) =>
    message(
      {
        From: `p${id}@example.org`,
        Subject: 'Circle',
        'Message-ID': `<${id}>`,
        'In-Reply-To': `<${to}>`,
        Date: 'Mon, 1 Jan 9999 00:00:00 +0000',
      },
      `Round ${id}\0\n`,
    )
  const parsed = await read('mbox', chunks(mailbox(circle(1, 2), circle(2, 3), circle(3, 1))))
  t.strictSame(problems(parsed), [])
  t.strictSame(
    passages(parsed).map(({ entity, time }) => [entity, time]),
    [1, 2, 3].map(() => ['mail 2', undefined]),
  )
  const deep = (levels: number) =>
    `From: a@b.c\n${Array.from({ length: levels }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`).join('')}\nend\n`
  await t.rejects(read('mail', chunks(deep(2_000), 9_999)), /nesting depth/)
  const huge = `From: a@b.c\nX-Huge: ${'x'.repeat(400_000)}\n\nend\n`
  await t.rejects(read('mail', chunks(huge, 9_999)), /header size/)
  await t.rejects(read('mail', chunks('\xff\xfe no mail')), /neither a sender/)
  t.match(problems(await read('mbox', chunks('no mail'))), [[1, /no messages/]])
})

t.test('mail: letters in headers that are not encoded are in the character set of the text', async t => {
  const cases: [string, number[], string][] = [
    ['text/plain; charset=iso-8859-1', [0xfc], 'ü'],
    ['text/plain;\r\n charset="koi8-r"', [0xf6], 'Ж'],
    ['text/plain; charset=utf-8', [0xfc], 'ü'],
    ['text/plain; charset=unheard-of', [0xfc], 'ü'],
    ['text/plain; charset=iso-8859-1', [0xc3, 0xbc], 'ü'],
  ]
  for (const [type, bytes, letter] of cases) {
    const name = `L${String.fromCharCode(...bytes)}tke`
    const sent = message(
      { From: `${name} <l@example.org>`, Subject: `For ${name}`, 'Content-Type': type },
      'Hello.',
    )
    const said = shown(await read('mail', chunks(Buffer.from(sent, 'latin1')))).join(' | ')
    t.match(said, `L${letter}tke`, type)
    t.match(said, `For L${letter}tke`, type)
    t.notMatch(said, '\ufffd', type)
  }
})

t.test(
  'mail: a text of another character set than it says, or that names none, keeps its letters',
  async t => {
    for (const [type, letters] of [
      ['', 'Fr\xf6sche'],
      ['Content-Type: text/plain; charset=utf-8\n', 'Fr\xf6sche'],
      ['', 'Fr\xc3\xb6sche'],
      ['Content-Type: text/plain; charset=iso-8859-1\n', 'Fr\xf6sche'],
      ['Content-Type: text/plain; charset=us-ascii\n', 'Fr\xf6sche'],
    ] as const) {
      const sent = `From: a@example.org\nSubject: =?iso-8859-1?Q?Die_Fr\xf6sche?=\n${type}\n${letters}\n`
      const [said] = passages(await read('mail', chunks(Buffer.from(sent, 'latin1'))))
      t.equal(said?.text, 'Frösche', type)
      if (letters.length === 7) t.match(said?.title, 'Die Frösche', type)
    }
  },
)

t.test('mail: files written into a text are no text', async t => {
  const line = `M${'A'.repeat(60)}`
  const text = ['Two pictures.', 'begin 644 up.gif', line, line, '!``', '`', 'end', 'begin 644 boats', 'Bye.']
  const [said] = passages(await read('mail', chunks(message({ From: 'a@b.c' }, text.join('\n')))))
  t.equal(said?.text, 'Two pictures.\n[up.gif]\nbegin 644 boats\nBye.')
})

t.test('mail: quotation marks, dashes and € of Windows', async t => {
  const headers = { From: 'a@b.c', 'Content-Transfer-Encoding': 'quoted-printable' }
  for (const charset of ['windows-1252', 'iso-8859-1']) {
    const type = { 'Content-Type': `text/plain; charset=${charset}` }
    const [said] = passages(
      await read('mail', chunks(message({ ...headers, ...type }, '=93Boat=94 =96 5 =80\n'))),
    )
    t.equal(said?.text, '“Boat” – 5 €', charset)
  }
})

const letter = (head: string, ...body: string[]) =>
  [`From: a@example.org`, `Subject: S`, head, 'MIME-Version: 1.0', ...body, ''].join('\r\n')
const parts = (...parts: string[]) => [
  'Content-Type: multipart/mixed; boundary=b',
  '',
  ...parts.map(p => `--b\r\n${p}`),
  '--b--',
]
const EVENT =
  'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:e\r\nDTSTART:20260510T090000Z\r\nSUMMARY:Review\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'

t.test(
  'mail: a date in a zone that is not known is as in UTC, and all authors are read (RFC 5322 §3.6.2, §4.3)',
  async t => {
    for (const zone of ['CET', 'JST', 'Europe/Oslo', 'A', 'MEZ (CET)']) {
      const parsed = await text('mail', letter(`Date: Fri, 01 May 2026 09:00:00 ${zone}`, '', 'Text.'))
      t.equal(passages(parsed)[0]?.time, Date.UTC(2026, 4, 1, 9), zone)
    }
    const two = letter('Date: Fri, 1 May 2026 09:00 GMT', '', 'x').replace(
      'From: ',
      'From: "Ek, Bo" <bo@example.org>, ',
    )
    t.match(
      shown(await text('mail', two)).join('\n'),
      /has a message from → bo@example\.org[\s\S]*has a message from → a@example\.org/,
    )
  },
)

t.test(
  'mail: invitations, and letters whose only part is a calendar, Markdown or enriched text, are read',
  async t => {
    const formatInside = (path: string) => formatOfFile(path)
    const readLetter = async (content: string) => text('mail', content, { path: 'm.eml', formatInside })
    const calendar = `Content-Type: text/calendar; method=REQUEST\r\n\r\n${EVENT}`
    for (const content of [
      letter('X: 1', ...parts('Content-Type: text/plain\r\n\r\nCome.', calendar)),
      letter('X: 1', calendar),
      letter(
        'X: 1',
        ...parts(calendar, calendar.replace('text/calendar;', 'text/calendar; name=invite.ics;')),
      ),
    ]) {
      const said = shown(await readLetter(content))
      t.equal(said.filter(line => line === 'event e is Review (event)').length, 1)
    }
    const invited = shown(await readLetter(letter('X: 1', calendar)))
    t.ok(invited.some(line => /^event e — attached to → mail /.test(line)))
    t.notOk(invited.some(line => line.includes('has attachment')))
    const markdown = await readLetter(
      letter('X: 1', 'Content-Type: text/markdown', '', '# Oil', '', 'Burns.'),
    )
    t.match(passages(markdown)[0]?.text, /# Oil\n\nBurns\./)
    const enriched =
      'Content-Type: text/enriched\r\n\r\n<bold>Now</bold> is\r\nthe <color><param>red</param>time</color>\r\n\r\n<<for>'
    t.match(passages(await readLetter(letter('X: 1', enriched)))[0]?.text, /^Now is the time\n<for>/)
  },
)

t.test('mail: files in a letter that is itself a file of a letter are read, three letters deep', async t => {
  const formatInside = (path: string) => formatOfFile(path)
  const note = (name: string) =>
    `Content-Type: text/markdown; name=${name}\r\nContent-Disposition: attachment\r\n\r\nWords of ${name}.`
  const whole = [4, 3, 2, 1].reduce<string>((inner, depth) => {
    const files = [
      note(`n${depth}.md`),
      ...(inner === ''
        ? []
        : [
            `Content-Type: message/rfc822; name=m${depth}.eml\r\nContent-Disposition: attachment\r\n\r\n${inner}`,
          ]),
    ]
    return letter(
      'X: 1',
      `Content-Type: multipart/mixed; boundary=b${depth}`,
      '',
      ...files.map(file => `--b${depth}\r\n${file}`),
      `--b${depth}--`,
    )
  }, '')
  const said = passages(await text('mail', whole, { path: 'm.eml', formatInside })).map(({ text }) => text)
  t.strictSame(
    said.filter(text => text.startsWith('Words')),
    ['Words of n1.md.', 'Words of n2.md.', 'Words of n3.md.'],
  )
})

/** An attribute of TNEF: its level, its id and type, its length, its value and a checksum (MS-OXTNEF §2.1.3). */
function attribute(id: number, value: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUInt8(2, 0)
  head.writeUInt32LE(id, 1)
  head.writeUInt32LE(value.length, 5)
  return Buffer.concat([head, value, Buffer.alloc(2)])
}

t.test('mail: the files in winmail.dat of Outlook are attachments (MS-OXTNEF)', async t => {
  const long = Buffer.from('Boat plan.txt\0', 'utf16le')
  const size = Buffer.from([long.length, 0, 0, 0])
  const named = Buffer.concat([Buffer.from('010000001f00073701000000', 'hex'), size, long])
  const tnef = Buffer.concat([
    Buffer.from('789f3e220100', 'hex'),
    attribute(0x69002, Buffer.alloc(14)),
    attribute(0x18010, Buffer.from('BOATPL~1.TXT\0')),
    attribute(0x6800f, Buffer.from('Paint it red.')),
    attribute(0x69005, named),
    attribute(0x69002, Buffer.alloc(14)),
    attribute(0x18010, Buffer.from('oil.txt\0')),
    attribute(0x6800f, Buffer.from('Colza only.')),
  ])
  const mail = (bytes: Buffer) =>
    `From: a@b.c\nSubject: Boat\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nSee the plan.\n--x\nContent-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\n${bytes.toString('base64')}\n--x--\n`
  const parsed = await read('mail', chunks(mail(tnef)), { path: 'a.eml', formatInside: formatOfFile })
  const attached = shown(parsed).flatMap(line => line.split('has attachment → ')[1] ?? [])
  t.strictSame(attached, ['Boat plan.txt', 'oil.txt'])
  t.match(passages(parsed).slice(1), [
    { title: 'Boat plan', text: 'Paint it red.' },
    { title: 'oil', text: 'Colza only.' },
  ])
  for (const cut of [6, 12, 40, tnef.length - 20])
    t.not(passages(await read('mail', chunks(mail(tnef.subarray(0, cut))))).length, 0, `cut at ${cut}`)
  const other = await read('mail', chunks(mail(Buffer.from('no TNEF'))), { path: 'a.eml' })
  t.match(shown(other).join('\n'), /has attachment → winmail\.dat/)
})
