import fc from 'fast-check'
import t from 'tap'
import { utf8Of, withoutCuts } from '../../../engine/formats/shared/encoding.js'
import { isPlainValue } from '../../../engine/formats/tables/table-column.js'
import type { TableSummary } from '../../../engine/formats/tables/table-reading.js'
import { CsvQuotes } from '../../../platform/common/csv-quotes.js'
import { chunks, passages, problems, read, shown, text } from './read.js'
import { documentSink } from './sink.js'

/** The records of a table, and its summary. */
async function table(content: string, path = 'people.csv', nameColumn?: string, rows = new Map()) {
  const summaries: TableSummary[] = []
  const wanted = nameColumn === undefined ? {} : { nameColumn }
  const tables = { rows, add: (one: TableSummary) => void summaries.push(one), ...wanted }
  const parsed = await read('csv', chunks(content), { path, tables })
  if (problems(parsed).length > 0) throw new Error(String(problems(parsed)))
  return { lines: shown(parsed), ...summaries[0], summaries, rows }
}

t.test('a table: each row is a thing with its values, named by its likeliest column', async t => {
  const cases: [string, string, string[], string][] = [
    ['people.csv', 'id,name,age\n1,Ada,36\n2,Bo,40', ['name'], 'person is no singular, but people is'],
    ['cities.csv', 'City;Country\nOslo;Norway\nBergen;Norway', ['City'], 'the thing itself, by semicolons'],
    ['a.csv', 'code\tlabel\tnote\nx\tAda\t1\ny\tBo\t2', ['label'], 'by tabs'],
    [
      'staff.csv',
      'lastName,firstName,title\nDoe,Ada,Boss\nDoe,Bo,Boss\nRoe,Cy,Boss',
      ['firstName', 'lastName'],
      'two',
    ],
    ['films.csv', 'year|film title|length\n1999|Matrix|136\n2003|Reloaded|138', ['film title'], 'by bars'],
    ['measures.csv', 'date,value\n2024-01-01,3\n2024-01-02,4', [], 'no names'],
    ['orders.csv', 'id,customer_id,customer_name,n\n1,7,Ada,1\n2,8,Bo,2', [], 'the name of another thing'],
    ['x.csv', 'sep=;\nSubject;n;m;k\nHello;1;2;3\nBye;1;2;3', ['Subject'], 'as Excel marks it'],
  ]
  for (const [path, content, naming, why] of cases)
    t.strictSame((await table(content, path)).naming, naming, `${path}: ${why}`)
  const unclear = await table('first,second\nAda,Red\nBo,Blue')
  t.match(unclear, { naming: ['first'], unclear: ['second'] })
  t.match((await table('first,second\nAda,Red\nBo,Blue', 'a.csv', 'Second')).naming, ['second'])
  t.match((await table('1,Ada,3.5,x\n2,Bo,4.5,y')).hasHeader, false)
})

t.test('a table: identifiers of other tables link rows, in any order of the tables', async t => {
  const orders = await table(
    'orderID,customerID,employee_id,freight,orderDate,reportsTo\n10248,VINET,5,32.38,1996-07-04,10249\n10249,VINET,NULL,1.0,1996-07-05,',
    'orders.csv',
  )
  t.strictSame(orders.lines, [
    'order 10248 is order 10248 (order)',
    'order 10248 — customer → customer VINET',
    'order 10248 — employee → employee 5',
    'order 10248 — reports to → order 10249',
    'order 10248: order id: 10248',
    'order 10249 is order 10249 (order)',
    'order 10249 — customer → customer VINET',
    'order 10249: order id: 10249',
  ])
  const customers = await table(
    'customerID,companyName,country\nVINET,Vins et alcools,France\nTOMSP,Toms Spezialitäten,Germany',
    'customers.csv',
  )
  t.strictSame(customers.lines.slice(0, 4), [
    'customer VINET is Vins et alcools (customer)',
    'customer VINET alias VINET',
    'customer VINET alias customer VINET',
    'customer VINET — country → France',
  ])
  const after = await table(
    'day,customer,count\nMo,Vins et alcools,3\nTu,Nobody,4',
    'visits.csv',
    undefined,
    customers.rows,
  )
  t.match(after.lines, ['Mo is Mo (visit)', 'Mo — customer → customer VINET'], 'a name of a row')
})

t.test('a table: addresses identify rows whatever their case, and cells may have several', async t => {
  const iri = (name: string) => `https://schema.org/${name}`
  const { lines } = await table(
    `id,label,subTypeOf\n${iri('Recipe')},Recipe,"${iri('Work')}, ${iri('HowTo')}"\n${iri('recipe')},recipe,${iri('Work')}`,
    'types.csv',
  )
  t.strictSame(
    lines.filter(line => !line.includes(': ')),
    [
      `${iri('%52ecipe')} is Recipe (type)`,
      `${iri('%52ecipe')} — sub type of → ${iri('%57ork')}`,
      `${iri('%52ecipe')} — sub type of → ${iri('%48ow%54o')}`,
      `${iri('recipe')} is recipe (type)`,
      `${iri('recipe')} — sub type of → ${iri('%57ork')}`,
      `${iri('%57ork')} is ${iri('Work')}`,
      `${iri('%48ow%54o')} is ${iri('HowTo')}`,
    ].filter(line => !line.includes(': ')),
  )
})

t.test('a table begins at its header, whatever stands above it', async t => {
  const body = '\nAda,Lens,7,1947-01-08\nBo,Dome,8,1948-01-08\nCy,Dome,9,1949-01-08'
  const cases = [
    ['words of a title in several cells', `For,all,of,\nus,,here,\nname,team,pay,born${body}\n,notes,below,`],
    ['nothing', `name,team,pay,born${body}`],
    ['a title', `Our crew,,,\n\nname,team,pay,born${body}`],
  ]
  for (const [above = '', content = ''] of cases) {
    const parsed = await text('csv', content, { path: 'crew.csv' })
    const ada = passages(parsed).find(({ title }) => title === 'Ada')
    t.equal(ada?.text, 'team: Lens\npay: 7\nborn: 1947-01-08', above)
  }
  const unnamed = await text('csv', `name,team,pay${body}`, { path: 'crew.csv' })
  t.equal(passages(unnamed)[0]?.text, 'team: Lens\npay: 7\ncolumn 4: 1947-01-08', 'a column without a name')
  const broken = await text('csv', 'name,pay\n"Ada\n Lovelace",7\nBo,8', { path: 'crew.csv' })
  t.equal(passages(broken)[0]?.title, 'Ada Lovelace', 'a name in two lines is one line')
})

t.test('a header: its rows are one, and dates are columns over time', async t => {
  const headersOf = async (content: string) => {
    const { hasHeader, columns } = await table(content)
    return hasHeader && columns?.map(({ header }) => header)
  }
  const unnamed = (...columns: number[]) => columns.map(column => `Column ${column}`)
  const cases: [string, string, string[] | false][] = [
    ['groups', 'day,at,,fee\n,am,pm,\nMo,1,2,x\nTu,3,4,y', ['day', 'at am', 'at pm', 'fee']],
    [
      'three rows',
      'id,pay,,\n,A,,B\n,was,is,was\nx,1,2,3\ny,4,5,6\nz,7,8,9',
      ['id', 'pay A was', 'pay A is', 'pay B was'],
    ],
    ['a row of words', 'name,,team\nAda,Lens,Dome\nBo,Lens,Arc', ['name', ...unnamed(2), 'team']],
    ['dates', 'place,1/22/20,1/23/20\nOslo,0,3\nRome,2,4', ['place', '1/22/20', '1/23/20']],
    ['dates of rows', 'Ada,1/22/20,1\nBo,1/23/20,2\nCy,1/23/21,2', false],
    ['some', ',,May,,,June\nrent,,5,,,6\n,wages,7,,,8', [...unnamed(1, 2), 'May', ...unnamed(4, 5), 'June']],
    [
      'empty columns',
      'who,when,,,,,\nAda,May,,,,,\nBo,June,,,,,',
      ['who', 'when', ...unnamed(3, 4, 5, 6, 7)],
    ],
  ]
  for (const [why, content, headers] of cases) t.strictSame(await headersOf(content), headers, why)
  const again = 'who,n,city\nAda,1,Oslo\nBo,2,Rome\n'
  const { lines, hasHeader } = await table(again.repeat(3))
  t.ok(hasHeader)
  t.equal(lines.filter(line => line.startsWith('who')).length, 0, 'once more on each page')
})

t.test('what stands above and below the rows of a table is said of the table, and names nothing', async t => {
  const rows = 'name,team,pay\nAda,Lens,7\nBo,Dome,8\nTotal,,15\n'
  const notes = `1 without those that left,,\n(b) As of May,,\n,${'a long sentence '.repeat(4)},\n`
  const { lines } = await table(`Our crew of 2024,,\n\n${rows}${notes}`)
  const said = lines.filter(line => line.startsWith('people: ')).map(line => line.slice(8, 24))
  t.strictSame(said, ['Our crew of 2024', '1 without those ', '(b) As of May', 'a long sentence '])
  t.match(lines.join('\n'), /Total: pay: 15/, 'a sum is a row')
})

t.test('a table: rows of any length, titles above it and endless cells are no error', async t => {
  const long = `${'long text '.repeat(900)}`
  const { lines, naming } = await table(
    `Sales 2024\n\nname,city,note,n\nAda,Oslo\nBo,Oslo,"${long}",2,extra,more\n`,
  )
  t.strictSame(naming, ['name'])
  t.equal(lines.filter(line => line.startsWith('Bo > note')).length, 3, 'a long cell is texts of its own')
  t.match(lines.join('\n'), /Bo — city → Oslo/)
  t.strictSame((await table('a,b,c,d')).lines, [], 'a header alone')
  t.strictSame((await table(',,,\n,,,')).summaries, [], 'no row with anything')
  t.equal((await table(`name,n\n${'Ada,1\n'.repeat(5_000)}`)).summaries.length, 1, 'more rows than decide')
  for (const length of [120, 121])
    t.equal((await table(`${'h'.repeat(length)},city\nAda,Oslo\nBo,Rome`)).hasHeader, length === 120)
})

t.test('three columns are triples only if they look like it', async t => {
  t.match((await table('Ada,knows,Bo\nBo,knows,Cy')).lines, ['Ada — knows → Bo', 'Bo — knows → Cy'])
  t.match((await table('Ada,born,1815\nAda,died,1852')).lines, ['Ada — born → 1815'])
  t.equal((await table('word,n,m\na,1,2\nb,3,4')).thing, 'people')
  t.equal((await table('Water,,\nused,per head,costs\n44,13,68')).thing, 'people', 'below a title')
  t.equal((await table('old,new,label\nx,y,\nv,w,')).thing, 'people', 'with empty cells')
  t.equal((await table('name,role,team\nAda,dev,x\nBo,ops,y')).thing, 'people')
})

t.test('quotation marks inside of values are doubled or behind a backslash', async t => {
  const nameIn = async (row: string) => shown(await read('csv', chunks(`id,name,n\n${row}\n`, 100))).join()
  t.match(await nameIn('2,"Ada ""the, first""",3'), /Ada "the, first"/)
  t.match(await nameIn('2,"Ada \\"the, first\\"",3'), /Ada "the, first"/)
  t.match(await nameIn('2,"C:\\","3"'), /is C:\\ /, 'a value that ends with a backslash')
})

/** The rows of a table as lines, and the lines whose marks were read as letters. */
async function rowsOf(content: string, size = 100) {
  const told: number[] = []
  const file = { path: 'a.csv', remark: (line: number) => void told.push(line) }
  const parsed = await read('csv', chunks(content, size), file)
  if (problems(parsed).length > 0) throw new Error(String(problems(parsed)))
  return [...passages(parsed).map(({ title, text }) => `${title}: ${text.replaceAll('\n', ', ')}`), ...told]
}

t.test('a quotation mark that is never closed is a letter, and the rows after it are read', async t => {
  const cases: [string, string, (string | number)[]][] = [
    ['until the file ends', 'Ada,"x,1\nBo,y,2\n', ['Ada: a: "x, b: 1', 'Bo: a: y, b: 2', 2]],
    ['until another field', 'Ada,"x,1\nBo,"y, z",2', ['Ada: a: "x, b: 1', 'Bo: a: y, z, b: 2', 2]],
    [
      'twice',
      'Ada,"x,1\nBo,"y,2\nCy,"v\nw",3',
      ['Ada: a: "x, b: 1', 'Bo: a: "y, b: 2', 'Cy: a: v, w, b: 3', 2, 3],
    ],
    ['with others in its row', 'Ada,"x,""\nBo,y,2', ['Ada: a: "x, b: ""', 'Bo: a: y, b: 2', 2]],
    ['of old Macs', 'Ada,"x,1\rBo,y,2\r', ['Ada: a: "x, b: 1', 'Bo: a: y, b: 2', 2]],
    ['inside of a value', '"Ada" of Rome,x,1\n"Bo"s,y,2', ['"Ada" of Rome: a: x, b: 1', '"Bo"s: a: y, b: 2']],
    ['inside of lines', 'Ada,"x\nand "y" too",1\nBo,z,2', ['Ada: a: x, and "y" too, b: 1', 'Bo: a: z, b: 2']],
  ]
  for (const [why, rows, expected] of cases)
    for (const size of [1, 3, 1000]) t.strictSame(await rowsOf(`name,a,b\n${rows}`, size), expected, why)
  const slash = await rowsOf('name,a,b\nAda,"x \\"y,\\z,1\nBo,"\\"v\\"",2')
  t.strictSame(slash, ['Ada: a: "x \\"y, b: \\z, column 4: 1', 'Bo: a: "v", b: 2', 2], 'with a backslash')
  const many = Array.from({ length: 100_000 }, (_, at) => `Cy ${at},z,3\n`).join('')
  const long = await rowsOf(`name,a,b\nAda,"x,1\n${many}`, 65_536)
  t.strictSame([long.length, long[0], long.at(-1)], [100_002, 'Ada: a: "x, b: 1', 2], 'beyond the bound')
})

t.test('quotation marks that are closed stay as they are, wherever the text is cut', t => {
  const cell = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r\n', ' ', 'a', 'é'), maxLength: 8 })
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 }), rows => {
      const content = rows
        .map(cells => cells.map(one => `"${one.replaceAll('"', '""')}"`).join(','))
        .join('\n')
      const quotes = new CsvQuotes({ delimiter: ',', escape: '"' }, () => void t.fail(content))
      const lines = content
        .split('\n')
        .map((line, at) => ({ line: at + 1, text: line, ending: '\n' as const }))
      return lines.map(line => quotes.read([line])).join('') + quotes.end() === `${content}\n`
    }),
  )
  t.end()
})

t.test('a text is UTF-16 by its mark, else Windows-1252 as soon as it is not UTF-8', async t => {
  const utf8 = async (bytes: Buffer, isLegacy: boolean) => {
    const all: Uint8Array[] = []
    for await (const some of utf8Of(chunks(bytes, 3), isLegacy)) all.push(some)
    return Buffer.concat(all).toString('utf8')
  }
  const text = 'näme;ort – €\nZoë;Århus'
  const wide = Buffer.from(`\ufeff${text}`, 'utf16le')
  t.equal(await utf8(wide, false), text)
  const folded: Uint8Array[] = []
  for await (const some of withoutCuts(chunks('a\u00e9\r\n b\n', 1))) folded.push(some)
  t.equal(Buffer.concat(folded).toString(), 'a\u00e9\r\n b\n', 'between characters lines stay')
  for (const size of [1, 2, 3, 100]) {
    const cut: Uint8Array[] = []
    const bytes = Buffer.from('\xc3\r\n \xa9 \xe2\x82\n\t\xac\xc3', 'latin1')
    for await (const some of withoutCuts(chunks(bytes, size))) cut.push(some)
    t.equal(Buffer.concat(cut).toString('latin1'), '\xc3\xa9 \xe2\x82\xac\xc3', `in chunks of ${size}`)
  }
  t.equal(await utf8(Buffer.from(wide).swap16(), false), text)
  t.equal(await utf8(Buffer.from(text), true), text)
  t.equal(await utf8(Buffer.from('Zo\xeb;\x80\n', 'latin1'), true), 'Zoë;€\n')
  t.equal(await utf8(Buffer.from('Zo\xeb', 'latin1'), false), 'Zo\ufffd')
})

t.test('texts of programs in other languages keep their letters', async t => {
  const decoded = async (bytes: Buffer, size: number) => {
    const all: Uint8Array[] = []
    for await (const some of utf8Of(chunks(bytes, size), true)) all.push(some)
    return Buffer.concat(all).toString('utf8')
  }
  // The texts as encoded in these character sets, in Latin-1.
  const cases: [string, string, string][] = [
    ['windows-1252', 'Caf\xe9;3 \x80\n', 'Café;3 €\n'],
    ['windows-1251', '\xc8\xe2\xe0\xed;\xcc\xee\xf1\xea\xe2\xe0\n', 'Иван;Москва\n'],
    ['koi8-r', '\xe9\xd7\xc1\xce;\xed\xcf\xd3\xcb\xd7\xc1\n', 'Иван;Москва\n'],
    ['windows-1253', '\xc1\xe8\xde\xed\xe1;\xd0\xe5\xe9\xf1\xe1\xe9\xdc\xf2\n', 'Αθήνα;Πειραιάς\n'],
    ['windows-1255', '\xe9\xf8\xe5\xf9\xec\xe9\xed\n', 'ירושלים\n'],
    ['windows-1250', 'Za\xbf\xf3\xb3\xe6;\xa3\xf3d\x9f\n', 'Zażółć;Łódź\n'],
    ['windows-1250', 'm\xecsto;\x8at\xecp\xe1n;\x8e\xef\xe1r\n', 'město;Štěpán;Žďár\n'],
    ['windows-1250', 'Gy\xf5r;H\xfbv\xf6s\n', 'Győr;Hűvös\n'],
    ['windows-1254', 'Ay\xfee;\xddstanbul\n', 'Ayşe;İstanbul\n'],
    ['windows-1252', 'S\xf8ren;\x8akoda;\xc6r\xf8;H\xe9l\xe8ne\n', 'Søren;Škoda;Ærø;Hélène\n'],
    ['cp850', 'M\x81ller;K\x94ln;J\x84ger;Caf\x82 Stra\xe1e\n', 'Müller;Köln;Jäger;Café Straße\n'],
    ['macintosh', 'M\x9fller;K\x9aln;J\x8ager\n', 'Müller;Köln;Jäger\n'],
    [
      'gb18030',
      '\xd0\xd5\xc3\xfb;\xb3\xc7\xca\xd0\n\xcd\xf5\xce\xb0;\xb1\xb1\xbe\xa9\n\xc0\xee\xc4\xc8;\xc9\xcf\xba\xa3\n\xd5\xc5\xc3\xf4;\xb9\xe3\xd6\xdd\n',
      '姓名;城市\n王伟;北京\n李娜;上海\n张敏;广州\n',
    ],
    [
      'shift_jis',
      '\x96\xbc\x91O;\x93s\x8es\n\x93c\x92\x86\x91\xbe\x98Y;\x93\x8c\x8b\x9e\n\x82\xb3\x82\xad\x82\xe7;\x8b\x9e\x93s\n',
      '名前;都市\n田中太郎;東京\nさくら;京都\n',
    ],
    // Kanji only, with letters beside them, in which the library sees no language.
    ['shift_jis', '\x8d`\x8c\xfb;\x94\xf1\x8f\xed\x8c\xfb\n', '港口;非常口\n'],
    ['shift_jis', '\x8e\x81\x96\xbc\nA\x8e\xd0;\x8eR\x93c\n', '氏名\nA社;山田\n'],
    ['euc-jp', '\xbd\xbb\xbd\xea;\xc5\xec\xb5\xfe;\xa4\xb5\xa4\xaf\xa4\xe9\n', '住所;東京;さくら\n'],
    ['euc-kr', '\xc0\xcc\xb8\xa7;\xbc\xad\xbf\xef\n', '이름;서울\n'],
    ['windows-1252', 'don\x92t it\x92s we\x92ll\n', 'don’t it’s we’ll\n'],
    ['windows-1252', '\x8akoda;\x8eilina\n', 'Škoda;Žilina\n'],
    ['windows-1251', 'Oil \xe8 wick: \xec\xe0\xf1\xeb\xee \xe8 \xff\n', 'Oil и wick: масло и я\n'],
    ['windows-1251', '\xcf\xd0\xc8\xc2\xc5\xd2 \xcc\xc8\xd0\xd3\n', 'ПРИВЕТ МИРУ\n'],
    ['utf-16le', 'a\0;\0Z\0o\0\xeb\0\n\0', 'a;Zoë\n'],
    ['utf-16be', '\0a\0;\0Z\0o\0\xeb\0\n', 'a;Zoë\n'],
    ['none', '\xff\xfd\xfc\xfb\xfa\xf9\n', 'ÿýüûúù\n'],
  ]
  for (const [charset, bytes, text] of cases)
    for (const size of [4, 99]) t.equal(await decoded(Buffer.from(bytes, 'latin1'), size), text, charset)
  // Behaviour that appears only if more than a few bytes arrive at once.
  const whole: [string, string][] = [
    ['Mast: \xc3\xa9t\xc3\xa9, \xe2\x82\xac 5, \xc3\xb8l \xff\n', 'Mast: été, € 5, øl \ufffd\n'],
    ['<?xml version="1.0" encoding="ISO-8859-2"?>\xb1\n', '<?xml version="1.0" encoding="ISO-8859-2"?>ą\n'],
  ]
  for (const [bytes, text] of whole) t.equal(await decoded(Buffer.from(bytes, 'latin1'), 99), text)
  const long = 'name\n'.repeat(20_000)
  t.equal(await decoded(Buffer.from(`${long}\xc8\xe2\xe0\xed\n`, 'latin1'), 9_999), `${long}Иван\n`)
})

t.test('tables of Notion: a relation to pages names them, without their addresses', async t => {
  const page = (name: string) =>
    `${name} (https://www.notion.so/${name.replaceAll(' ', '-')}-0123456789abcdef0123456789abcdef?pvs=21)`
  const rows = [
    ['Book the caterer', page('Fiji party')],
    ['Send invitations', `${page('Fiji party')}, ${page('Retreat, at last')}`],
    ['Find a cabin', `${page('Retreat, at last')}, ${page('Fiji party')}`],
    ['Read (https://example.org/notion.so/)', page('Fiji party')],
  ]
  const csv = ['Task,Project', ...rows.map(([task, project]) => `${task},"${project}"`)].join('\n')
  const said = shown(await text('csv', csv, { path: 'tasks.csv' })).filter(line => line.includes('→'))
  t.strictSame(said, [
    'Book the caterer — project → Fiji party',
    'Send invitations — project → Fiji party',
    'Send invitations — project → Retreat, at last',
    'Find a cabin — project → Retreat, at last',
    'Find a cabin — project → Fiji party',
    'Read (https://example.org/notion.so/) — project → Fiji party',
  ])
})

t.test(
  'rows are known by a column of which nearly all cells differ, or by what their key is a key of',
  async t => {
    const places = Array.from({ length: 20 }, (_, at) => `Place ${at === 1 ? 0 : at},${at}`).join('\n')
    const { lines } = await table(`location,alcohol\n${places}`)
    t.match(lines.join('\n'), /is Place 19 \(/)
    t.notMatch(lines.join('\n'), /location →/)
    const majors = (rows: number) =>
      Array.from({ length: rows }, (_, at) => `${at + 1},${2_400 + at},Major ${at},Arts`).join('\n')
    for (const [rows, isKey] of [
      [20, true],
      [19, false],
    ] as const) {
      const { lines } = await table(`Rank,Major_code,Major,Group\n${majors(rows)}`)
      t.equal(lines.includes('major 2400 is Major 0 (major)'), isKey, `${rows} rows`)
    }
  },
)

t.test('numbers with their currency or unit are values, although they repeat', async t => {
  for (const cell of ['CHF 12.50', '12,50 €', '€ 12', '₹ 1,200', '10 km', '250 ml', '12.50 EUR', '90 %'])
    t.equal(isPlainValue(cell), true, cell)
  for (const cell of ['BMW 320', 'ABC123', 'Route 66', '7 Up', '3 Doors Down', 'km 10'])
    t.equal(isPlainValue(cell), false, cell)
})

t.test('JSON: a list of objects is a table, and what is in them in columns of its own', async t => {
  const rows = [
    {
      id: 1,
      name: 'Ada',
      home: { city: 'Oslo', at: { floor: 2 } },
      tags: ['sea', 'tea'],
      gone: null,
      ok: true,
    },
    { id: 2, name: 'Bo', home: { city: 'Oslo' }, seen: [{ year: 2020, by: 'Cy' }, { year: 2021 }] },
    { id: 3, name: 'Di', home: { city: 'Rome' }, tags: [] },
  ]
  const document = documentSink()
  const parsed = await read('jsontable', chunks(JSON.stringify(rows, null, 1)), {
    path: 'people.json',
    document,
  })
  t.strictSame(problems(parsed), [])
  t.strictSame(
    passages(parsed).map(({ title, text }) => `${title}: ${text}`),
    [
      'Ada: id: 1\nhome city: Oslo\nhome at floor: 2\ntags: sea; tea\nok: true',
      'Bo: id: 2\nhome city: Oslo\nseen: year: 2020, by: Cy; year: 2021',
      'Di: id: 3\nhome city: Rome',
    ],
  )
  t.ok(shown(parsed).includes('people 1 — home city → Oslo'), shown(parsed).join('\n'))
  t.equal(
    document.said[0]?.text,
    'id,name,home city,home at floor,tags,ok,seen\n1,Ada,Oslo,2,sea; tea,true,\n2,Bo,Oslo,,,,"year: 2020, by: Cy; year: 2021"\n3,Di,Rome,,,,\n',
  )
})

t.test('JSON Lines: each object is a row, and its members are columns whatever their names are', async t => {
  const lines =
    '{"@id":"http://e.org/1","who":{"name":"Ada"}}\n\n{"@id":"http://e.org/2","who":{"name":"Bo"}}\n[1]\n{"a":\n'
  const parsed = await read('jsonlines', chunks(lines), { path: 'crew.jsonl' })
  t.strictSame(
    passages(parsed).map(({ title, text }) => `${title}: ${text}`),
    ['Ada: @id: http://e.org/1', 'Bo: @id: http://e.org/2'],
  )
  t.match(problems(parsed), [
    [4, /not a row/],
    [5, /not JSON/],
  ])
})

t.test('JSON: members that come late are kept, and what is no object is a bad line', async t => {
  const rows = Array.from({ length: 600 }, (_, at) => ({ name: `Name ${at}`, n: at }))
  const late = [...rows.slice(0, 550), { name: 'Late', n: 1, mood: 'glad' }, 7, ...rows.slice(550)]
  const parsed = await read('jsontable', chunks(JSON.stringify(late).replaceAll('},', '},\n'), 1_000))
  t.strictSame(problems(parsed), [[552, 'This item is not a row, because it is not an object.']])
  t.equal(passages(parsed).length, 601)
  t.match(
    passages(parsed).find(({ title }) => title === 'Late'),
    { text: 'n: 1\ncolumn 3: mood: glad' },
  )
  const hostile = `[{"__proto__": {"a": 1}, "b": ${'['.repeat(150)}${']'.repeat(150)}}, {"a": }, {"a": 1}`
  t.match(problems(await read('jsontable', chunks(hostile))), [
    [1, /This item is not JSON/],
    [1, /ends before/],
  ])
})

t.test('JSON tables: whole numbers keep all of their digits', async t => {
  const rows =
    '[{"name":"Ada","number":9007199254740993},{"name":"Bo","number":9007199254740992,"note":"a \\"12345678901234567\\" b"}]'
  for (const [format, content] of [
    ['jsontable', rows],
    ['jsonlines', rows.slice(1, -1).replace('},{', '}\n{')],
  ] as const)
    t.strictSame(
      passages(await text(format, content, { path: 'crew.json' })).map(({ text }) => text),
      ['number: 9007199254740993', 'number: 9007199254740992\nnote: a "12345678901234567" b'],
      format,
    )
})

t.test('CSV: ="0123" is the text 0123', async t => {
  t.strictSame(
    passages(await text('csv', 'name,zip\nAda,="00501"\nBo,"=""05003"""\n', { path: 'crew.csv' })).map(
      ({ text }) => text,
    ),
    ['zip: 00501', 'zip: 05003'],
  )
})
