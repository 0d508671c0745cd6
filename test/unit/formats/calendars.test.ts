import t from 'tap'
import { chunks, passages, problems, read, shown } from './read.js'

const folded = (text: string) => text.replaceAll('\n', '\r\n')

const calendar = folded(`BEGIN:VCALENDAR
VERSION:2.0
X-WR-CALNAME:Harbour
BEGIN:VTIMEZONE
TZID:Europe/Oslo
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:1@example.org
SUMMARY:Paint the boat\\, together
DTSTART;TZID=Europe/Oslo:20240503T101500
DURATION:PT2H
RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=20240801T000000Z
LOCATION:Pier 4
ORGANIZER;CN=Ada Lovelace:mailto:ada@example.org
ATTENDEE;CN="Bob":mailto:bob@example.org
CATEGORIES:boat,summer
ATTACH;ENCODING=BASE64:AAAA
 BBBB
DESCRIPTION:Bring brushes and
  old clothes.
END:VEVENT
BEGIN:VEVENT
UID:2@example.org
SUMMARY:Regatta
DTSTART:20240615
DTSTAMP:INVALID
DTEND;VALUE=DATE:20240617
END:VEVENT
END:VCALENDAR
`)

t.test('calendar: events with times, places and people (RFC 5545)', async t => {
  for (const size of [1, 10_000]) {
    const parsed = await read('calendar', chunks(calendar, size), { path: 'cal.ics' })
    t.strictSame(shown(parsed), [
      'event 1@example.org is Paint the boat, together (event)',
      'ada@example.org is Ada Lovelace (person)',
      'ada@example.org alias ada@example.org',
      'bob@example.org is Bob (person)',
      'bob@example.org alias bob@example.org',
      'event 1@example.org — organizer → ada@example.org',
      'event 1@example.org — attendee → bob@example.org',
      'event 1@example.org — takes place at → Pier 4',
      'event 1@example.org — tagged → boat',
      'event 1@example.org — tagged → summer',
      'event 1@example.org — in calendar → Harbour',
      'Harbour > Paint the boat, together, 2024-05-03: Paint the boat, together',
      'event 2@example.org is Regatta (event)',
      'event 2@example.org — in calendar → Harbour',
      'Harbour > Regatta, 2024-06-15: Regatta',
    ])
    const [paint, regatta] = passages(parsed)
    t.equal(paint?.time, Date.UTC(2024, 4, 3, 8, 15), 'in the time zone that the file defines')
    t.equal(
      paint?.text,
      'Paint the boat, together\nWhen: 2024-05-03 10:15 – 12:15 (Europe/Oslo)\nRepeats: every 2 weeks on Friday until 2024-08-01\nWhere: Pier 4\nOrganizer: Ada Lovelace <ada@example.org>\nWith: Bob <bob@example.org>\nBring brushes and old clothes.',
    )
    t.match(regatta?.text, /When: 2024-06-15 – 2024-06-16/)
  }
})

const eventText = async (more: string) => {
  const one = folded(`BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:a\n${more}\nEND:VEVENT\nEND:VCALENDAR\n`)
  const [passage] = passages(await read('calendar', chunks(one, 99)))
  return { text: passage?.text.split('\n').slice(1).join('\n'), time: passage?.time }
}

t.test('calendar: repetitions are said in full, with the days on which they are not', async t => {
  const start = 'DTSTART:20240503T101500Z\n'
  const said = {
    'FREQ=WEEKLY': 'every week on Friday',
    'FREQ=WEEKLY;WKST=MO;BYDAY=MO,WE,FR;COUNT=9': 'every week on Monday, Wednesday and Friday, 9 times',
    'FREQ=MONTHLY;BYDAY=+1MO,-1TH': 'every month on the first Monday and the last Thursday',
    'FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2;INTERVAL=3': 'every 3 months on the second Tuesday',
    'FREQ=MONTHLY;BYMONTHDAY=15,-1': 'every month on day 15 and the last day',
    'FREQ=YEARLY;BYMONTH=3,11;BYDAY=XX': 'every year in March and November',
    'FREQ=DAILY;UNTIL=20240601T000000Z': 'every day until 2024-06-01',
  }
  for (const [rule, expected] of Object.entries(said)) {
    const { text } = await eventText(`${start}RRULE:${rule}`)
    t.equal(text, `When: 2024-05-03 10:15 (UTC)\nRepeats: ${expected}`)
  }
  const { text } = await eventText(
    `${start}RDATE;VALUE=PERIOD:20240601T101500Z/PT2H\nEXDATE;TZID=Europe/Oslo:20240510T101500,20240517T101500\nEXDATE:20240510T101500Z\nRRULE:FREQ=SOMETIMES`,
  )
  t.equal(text, 'When: 2024-05-03 10:15 (UTC)\nAlso on: 2024-06-01\nNot on: 2024-05-10, 2024-05-17')
})

t.test(
  'calendar: zones that only have a name, places of several lines, calls, descriptions of Google',
  async t => {
    const zoned = await eventText(
      'DTSTART;TZID=America/New_York:20240310T083000\nDTEND;TZID=America/New_York:20240310T093000',
    )
    t.strictSame(zoned, {
      text: 'When: 2024-03-10 08:30 – 09:30 (America/New_York)',
      time: Date.UTC(2024, 2, 10, 12, 30),
    })
    t.strictSame(await eventText('DTSTART;TZID=Our house:20240310T083000'), {
      text: 'When: 2024-03-10 08:30 (Our house)',
      time: Date.UTC(2024, 2, 10, 8, 30),
    })
    // As Exchange names zones.
    t.strictSame(await eventText('DTSTART;TZID="(UTC-05:00) Eastern Time: New York":20240310T083000'), {
      text: 'When: 2024-03-10 08:30 ((UTC-05:00) Eastern Time: New York)',
      time: Date.UTC(2024, 2, 10, 13, 30),
    })
    t.equal((await eventText('DTSTART;TZID=(GMT):20240310T083000')).time, Date.UTC(2024, 2, 10, 8, 30))
    // As Outlook names zones (CLDR).
    for (const [zone, hour] of [
      ['W. Europe Standard Time', 7],
      ['Eastern Standard Time', 12],
      ['tzone://Microsoft/Utc', 8],
    ] as const) {
      const { time } = await eventText(`DTSTART;TZID="${zone}":20240310T083000`)
      t.equal(time, Date.UTC(2024, 2, 10, hour, 30), zone)
    }
    const where = folded(
      'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:a\nLOCATION:The harbour\\nPier 4\\,\\nOslo\nEND:VEVENT\nEND:VCALENDAR\n',
    )
    const placed = await read('calendar', chunks(where))
    t.ok(shown(placed).includes('event 1 — takes place at → The harbour, Pier 4, Oslo'))
    t.match(passages(placed), [{ text: 'a\nWhere: The harbour, Pier 4, Oslo' }])
    const call = 'https://meet.example/abc'
    const { text } = await eventText(
      `X-GOOGLE-CONFERENCE:${call}\nCONFERENCE;VALUE=URI;LABEL=Join:${call}\nDESCRIPTION:Bring <b>paint</b>\\n<br><ul><li>red</li></ul>a < b &amp\\; c`,
    )
    t.equal(text, `Call: ${call}\nBring paint\n- red\n\na < b & c`)
    t.equal(
      (await eventText('DESCRIPTION:x < y, a<b>c\\n<ada@example.org>')).text,
      'x < y, a<b>c\n<ada@example.org>',
    )
  },
)

t.test('contacts: people with all names and addresses, in every version (RFC 6350)', async t => {
  const cards = folded(`BEGIN:VCARD
VERSION:3.0
N:Lovelace;Ada;;;
FN:Countess Ada Lovelace
NICKNAME:Ada
EMAIL;TYPE=home:Ada@example.org
item1.EMAIL:countess@example.org
TEL;TYPE=cell:+47 123
ADR;TYPE=home:;;Harbour street 5;Oslo;;0150;Norway
ORG:Analytical Engines;Programs
BDAY:1815-12-10
PHOTO;ENCODING=b:AAAA
 BBBB
CATEGORIES:friends\\, \\, rowing
NOTE:Likes boats\\nand numbers
END:VCARD
BEGIN:VCARD
VERSION:2.1
N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;Zo=C3=AB=
;;;
TEL;CELL:123
END:VCARD
BEGIN:VCARD
VERSION:4.0
KIND:org
FN:Harbour Office
END:VCARD
`)
  const parsed = await read('contacts', chunks(cards, 11), { path: 'contacts.vcf' })
  t.strictSame(problems(parsed), [])
  t.strictSame(shown(parsed), [
    'ada@example.org is Countess Ada Lovelace (person)',
    'ada@example.org alias Ada Lovelace',
    'ada@example.org alias Ada',
    'ada@example.org alias Ada@example.org',
    'ada@example.org alias countess@example.org',
    'countess@example.org is the same as ada@example.org',
    'ada@example.org — works for → Analytical Engines',
    'ada@example.org — tagged → friends',
    'ada@example.org — tagged → rowing',
    'contacts > Countess Ada Lovelace: Countess Ada Lovelace',
    'zoë müller is Zoë Müller (person)',
    'contacts > Zoë Müller: Zoë Müller',
    'harbour office is Harbour Office (organization)',
    'contacts > Harbour Office: Harbour Office',
  ])
  t.match(
    passages(parsed)[0]?.text,
    /E-mail: Ada@example.org \(home\), countess@example.org\nPhone: \+47 123 \(mobile\)\nAddress \(home\): Harbour street 5, Oslo, 0150, Norway\nOrganization: Analytical Engines, Programs\nBirthday: 1815-12-10\nLikes boats\nand numbers$/,
  )
})

t.test('contacts: each value says what it is for, as Apple, Google, Outlook and KDE write it', async t => {
  const card = folded(`BEGIN:VCARD
VERSION:3.0
N:Lovelace;Ada;;;
FN:Ada Lovelace
ORG:Analytical Engines;Programs
EMAIL;type=INTERNET;type=WORK;type=pref:ada@example.org
TEL;type=CELL;type=VOICE:1
TEL;TYPE="work,fax":2
TEL:3
item1.TEL:4
item1.X-ABLabel:_$!<AssistantPhone>!$_
item2.TEL:5
item2.X-ABLabel:Boat house
ADR;type=HOME:;;Harbour street 5,\\nFloor 2;Oslo;;0150;Norway
ADR;type=WORK:;;Pier 4;Oslo;;;
item3.URL;type=pref:https\\://example.org
item3.X-ABLabel:_$!<HomePage>!$_
X-SOCIALPROFILE;type=mastodon:https://example.com/@ada
item4.X-ABRELATEDNAMES:William
item4.X-ABLabel:Spouse
item5.X-ABRELATEDNAMES:Mary
item5.X-ABLabel:REFERRED_BY
X-MS-MANAGER:Charles
X-KADDRESSBOOK-X-AssistantsName:Bob
RELATED;TYPE=friend;VALUE=text:Michael
RELATED:urn:uuid:f81d4fae
item6.X-ABDATE:18350708
item6.X-ABLabel:_$!<Anniversary>!$_
X-SKYPE-USERNAME:ada.l
IMPP;type=WORK:xmpp:ada@example.org
NOTE:She said \\"soon\\"\\; twice
END:VCARD
`)
  const expected =
    'Ada Lovelace\nE-mail: ada@example.org (work)\nPhone: 1 (mobile), 2 (work fax), 3, 4 (assistant phone), 5 (Boat house)\n' +
    'Address (home): Harbour street 5, Floor 2, Oslo, 0150, Norway\nAddress (work): Pier 4, Oslo\n' +
    'Organization: Analytical Engines, Programs\nAnniversary: 1835-07-08\nSpouse: William\nReferred by: Mary\nFriend: Michael\n' +
    'Manager: Charles\nAssistant: Bob\n' +
    'Web: https://example.org (home page), https://example.com/@ada (mastodon)\n' +
    'Chat: xmpp:ada@example.org (work), ada.l (skype)\nShe said "soon"; twice'
  // Files that went through several programs have doubled line ends.
  for (const written of [card, card.replaceAll('\n', '\r\n')]) {
    const parsed = await read('contacts', chunks(written, 11), { path: 'contacts.vcf' })
    t.equal(passages(parsed)[0]?.text, expected)
    t.strictSame(
      shown(parsed).filter(line => / — /.test(line)),
      [
        'works for → Analytical Engines',
        'spouse → William',
        'referred by → Mary',
        'friend → Michael',
        'manager → Charles',
        'assistant → Bob',
      ].map(fact => `ada@example.org — ${fact}`),
    )
  }
})

t.test(
  'contacts: one without a name is known by what there is, and types need no name in any version',
  async t => {
    const cards: [string, string][] = [
      ['NICKNAME:Bo\nTEL:1', 'bo'],
      ['TEL;TYPE=CELL:tel:+47 123', '+47 123'],
      ['URL:https://e.org', 'https://e.org'],
      ['FN:Ada\nEMAIL;INTERNET:ada@e.org\nTEL;HOME;FAX:', 'ada@e.org'],
      ['BDAY:1970-01-01', ''],
    ]
    for (const [lines, id] of cards) {
      const parsed = await read('contacts', chunks(`BEGIN:VCARD\nVERSION:3.0\n${lines}\nEND:VCARD\n`))
      t.strictSame(problems(parsed), [], lines)
      t.equal(passages(parsed)[0]?.entity ?? '', id, lines)
    }
  },
)

t.test('calendar, contacts: hostile entries are bounded, unreadable ones named by line', async t => {
  const event = (more: string) =>
    folded(`BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:a\n${more}END:VEVENT\nEND:VCALENDAR\n`)
  const deep = event('BEGIN:VALARM\n'.repeat(5_000) + 'END:VALARM\n'.repeat(5_000))
  t.strictSame(problems(await read('calendar', chunks(deep, 9_999))), [])
  const huge = event(`DESCRIPTION:${'x'.repeat(300_000)}\n`)
  t.match(problems(await read('calendar', chunks(huge, 9_999))), [[2, /longer than 256 KiB/]])
  const forever = event('no property\nDTSTART:99991231T000000Z\nRRULE:FREQ=SECONDLY;BYMONTH=13\n')
  t.match(passages(await read('calendar', chunks(forever, 9_999))), [{ time: undefined }])
  // A rule of a zone is expanded up to the date; these would never end.
  for (const rule of ['FREQ=DAILY', 'FREQ=YEARLY;BYSECOND=1', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31']) {
    const zone = `BEGIN:VTIMEZONE\nTZID:X\nBEGIN:DAYLIGHT\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nDTSTART:19700329T020000\nRRULE:${rule}\nEND:DAYLIGHT\nEND:VTIMEZONE\n`
    const late = event('DTSTART;TZID=X:20990503T101500\nDURATION:P999999999W\n')
    const parsed = await read('calendar', chunks(folded(zone) + late, 9_999))
    t.match(passages(parsed), [{ text: /When: 2099-05-03 10:15/ }], rule)
  }
  t.match(problems(await read('calendar', chunks('BEGIN:VCALENDAR\nBEGIN:VEVENT\n'))), [
    [2, /ends in the middle/],
  ])
  t.match(problems(await read('calendar', chunks('nothing'))), [[1, /no entries/]])
  t.match(problems(await read('contacts', chunks('BEGIN:VCARD\nFN;X="a:b\nEND:VCARD\n'))), [
    [1, /cannot be read/],
  ])
})

t.test('calendar: whole days end with their last one, and nothing ends before it begins', async t => {
  for (const [days, said] of [
    ['20240615\nDTEND:20240618', '2024-06-15 – 2024-06-17'],
    ['20240615\nDTEND:20240616', '2024-06-15'],
    ['20240615\nDTEND:20240615', '2024-06-15'],
    ['20240615\nDTEND:20240601', '2024-06-15'],
  ])
    t.equal((await eventText(`DTSTART:${days}`)).text, `When: ${said}`)
})

t.test('calendar: a line that is no property is passed over, addresses may be in quotes', async t => {
  const { text } = await eventText(
    'DTSTART:20240615\nDESCRIPTION;this is text\nno property\nORGANIZER:"mailto:ada@example.org"\nSTATUS:CONFIRMED',
  )
  t.equal(text, 'When: 2024-06-15\nOrganizer: ada@example.org\nStatus: confirmed')
})

t.test('calendar: dates are read as they are written, and what is none is left out', async t => {
  for (const [written, said] of [
    [':  20240615  ', 'When: 2024-06-15'],
    [':  20240615T101500Z ', 'When: 2024-06-15 10:15 (UTC)'],
    [':20240615T101500', 'When: 2024-06-15 10:15'],
    [':16000101', 'When: 1600-01-01'],
    [':21001231', 'When: 2100-12-31'],
    [':15991231', ''],
    [':21010101', ''],
    [':2024-06-15', ''],
    [':202406151', ''],
    [':x20240615', ''],
    [':20240615T10', ''],
    [':20240615T101500Z and more', ''],
    [';X="a:b":20240615', 'When: 2024-06-15'],
  ] as const) {
    const { text } = await eventText(`DTSTART${written}\nSTATUS:CONFIRMED`)
    t.equal(text, `${said === '' ? '' : `${said}\n`}Status: confirmed`, written)
  }
})

t.test('calendars and contacts: marks in parameters are read (RFC 6868)', async t => {
  const event = `BEGIN:VEVENT\nUID:1\nDTSTART:20240503T100000Z\nSUMMARY:Paint\nATTENDEE;CN="Bo ^'Red^' Ek":mailto:bo@e.org\nEND:VEVENT`
  const entries = await read('calendar', chunks(`BEGIN:VCALENDAR\nVERSION:2.0\n${event}\nEND:VCALENDAR\n`))
  t.ok(shown(entries).includes('bo@e.org is Bo "Red" Ek (person)'), shown(entries).join('; '))
  const card = `BEGIN:VCARD\nVERSION:4.0\nFN:Ada\nADR;LABEL="1 Pier^nRome ^^":;;1 Pier;Rome;;;\nEND:VCARD\n`
  t.equal(passages(await read('contacts', chunks(card)))[0]?.text, 'Ada\nAddress: 1 Pier, Rome')
})

t.test(
  'calendar: times that a clock shows never or twice are counted from before its change (RFC 5545 §3.3.5)',
  async t => {
    const [zones = ''] = calendar.split('BEGIN:VEVENT', 1)
    const changes: [string, string][] = [
      ['20240331T013000', '2024-03-31T00:30:00.000Z'],
      ['20240331T023000', '2024-03-31T01:30:00.000Z'],
      ['20240331T030000', '2024-03-31T01:00:00.000Z'],
      ['20241027T013000', '2024-10-26T23:30:00.000Z'],
      ['20241027T023000', '2024-10-27T00:30:00.000Z'],
      ['20241027T030000', '2024-10-27T02:00:00.000Z'],
    ]
    // Once as the file defines the zone, and once by the tables of this machine.
    for (const head of [zones, 'BEGIN:VCALENDAR\r\n'])
      for (const [written, expected] of changes) {
        const event = `${head}BEGIN:VEVENT\r\nUID:1\r\nDTSTART;TZID=Europe/Oslo:${written}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
        const [passage] = passages(await read('calendar', chunks(event)))
        t.equal(new Date(passage?.time ?? 0).toISOString(), expected, written)
      }
  },
)

t.test('calendar: what repeats is said as it is meant (RFC 5545 §3.3.10, §3.8.4.4, §3.8.5)', async t => {
  const said = async (...lines: string[]) => {
    const text = folded(
      ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'SUMMARY:Watch', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join(
        '\n',
      ),
    )
    return passages(await read('calendar', chunks(text)))[0]
      ?.text.split('\n')
      .slice(2)
  }
  const start = 'DTSTART;TZID=Europe/Oslo:20260601T003000'
  const cases: [string[], string[]][] = [
    [
      ['RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE;BYSETPOS=-1'],
      ['Repeats: every month on the last of Monday, Tuesday and Wednesday'],
    ],
    [['RRULE:FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-2'], ['Repeats: every month on the second to last Friday']],
    [
      ['RRULE:FREQ=YEARLY;BYWEEKNO=20,-1;BYDAY=MO'],
      ['Repeats: every year on Monday in week 20 and last of the year'],
    ],
    [['RRULE:FREQ=YEARLY;BYYEARDAY=100'], ['Repeats: every year on day 100 of the year']],
    // Half past midnight in Oslo is the day before in UTC.
    [
      ['RRULE:FREQ=DAILY;UNTIL=20260604T223000Z', 'EXDATE:20260602T223000Z'],
      ['Repeats: every day until 2026-06-05', 'Not on: 2026-06-03'],
    ],
    [['RDATE;TZID=Europe/Oslo:20260608T003000,20260609T140000'], ['Also on: 2026-06-08, 2026-06-09 14:00']],
    [['RECURRENCE-ID:20260531T223000Z'], ['In place of: 2026-06-01 00:30']],
    [['RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20260601'], ['In place of: 2026-06-01 and later']],
  ]
  for (const [lines, expected] of cases) t.strictSame(await said(start, ...lines), expected, lines.join())
  t.strictSame(await said('DTSTART;VALUE=DATE:20240229', 'RRULE:FREQ=YEARLY'), [
    'Repeats: every year on 29 February, only in leap years',
  ])
})

t.test('calendar: a task is due by the clock that it names, and rooms and groups are no people', async t => {
  const task = folded(`BEGIN:VCALENDAR
BEGIN:VTODO
UID:t
SUMMARY:Trim
DUE;TZID=Europe/Oslo:20260302T090000
END:VTODO
BEGIN:VEVENT
UID:e
DTSTART:20260302T090000Z
ATTENDEE;CUTYPE=ROOM;CN=Lantern room:mailto:room@example.org
ATTENDEE;CUTYPE=GROUP;CN=Keepers:mailto:keepers@example.org
END:VEVENT
END:VCALENDAR
`)
  const parsed = await read('calendar', chunks(task))
  const [due] = passages(parsed)
  t.equal(due?.text, 'Trim\nDue: 2026-03-02 09:00 (Europe/Oslo)')
  t.equal(due?.time, Date.UTC(2026, 2, 2, 8))
  t.match(
    shown(parsed).join('\n'),
    /room@example\.org is Lantern room \(room\)[\s\S]*keepers@example\.org is Keepers \(group\)/,
  )
})

t.test('contacts: a birthday without a year has none, and groups, places and companies are such', async t => {
  const card = (...lines: string[]) =>
    folded(['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\n'))
  const cards = [
    card('FN:Ada', 'BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29'),
    card('FN:Bo', 'BDAY:--0412'),
    card('FN:Cy', 'BDAY:19800412'),
    card('FN:Keepers', 'N:Keepers;;;;', 'X-ADDRESSBOOKSERVER-KIND:group'),
    card('FN:Pier 4', 'N:Pier;;;;', 'KIND:location'),
    card('FN:Oil Ltd', 'N:Oil;;;;', 'ORG:Oil Ltd', 'X-ABShowAs:COMPANY'),
  ]
  const parsed = await read('contacts', chunks(cards.join('')))
  t.strictSame(
    passages(parsed).flatMap(({ text }) => text.match(/^Birthday: .*$/m) ?? []),
    ['Birthday: 02-29', 'Birthday: 04-12', 'Birthday: 1980-04-12'],
  )
  t.strictSame(
    shown(parsed)
      .filter(line => line.endsWith(')'))
      .slice(3),
    ['keepers is Keepers (group)', 'pier 4 is Pier 4 (place)', 'oil ltd is Oil Ltd (organization)'],
  )
})
