import t from 'tap'
import { bestCells } from '../../../domain/safes/ask/lead/cells.js'
import type { Parsed } from '../../../engine/graph/model.js'
import { askedIn } from '../../asked.js'
import type { ZipEntry } from '../../zip.js'
import { zip } from '../../zip.js'
import { passages, shown, text } from './read.js'
import { documentSink } from './sink.js'

const part = (name: string, content: string): ZipEntry => ({ name, content })
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const STYLES =
  '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy&quot; h&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="2"/></cellXfs></styleSheet>'
/** A workbook with these sheets: their rows as XML, by name. */
function xlsx(
  sheets: Record<string, string>,
  { texts = '', state = '', doctype = '', more = [] as ZipEntry[], styles = STYLES } = {},
): Buffer {
  const names = Object.keys(sheets)
  const listed = names.map((name, at) => `<sheet name="${name}" r:id="r${at}"${at > 0 ? state : ''}/>`)
  const targets = names.map((_, at) => `<Relationship Id="r${at}" Target="/xl/worksheets/s${at}.xml"/>`)
  return zip([
    part(
      '[Content_Types].xml',
      '<Override ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>',
    ),
    part(
      'xl/workbook.xml',
      `<workbook xmlns:r="${RELATIONSHIPS}"><sheets>${listed.join('')}</sheets></workbook>`,
    ),
    part(
      'xl/_rels/workbook.xml.rels',
      `<Relationships>${targets.join('')}<Relationship Id="x" Target="sharedStrings.xml"/></Relationships>`,
    ),
    part('xl/sharedStrings.xml', `${doctype}<sst>${texts}</sst>`),
    part('xl/styles.xml', styles),
    ...Object.values(sheets).map((rows, at) =>
      part(`xl/worksheets/s${at}.xml`, `<worksheet><sheetData>${rows}</sheetData></worksheet>`),
    ),
    ...more,
  ])
}

const inline = (cells: string[]) =>
  `<row>${cells.map(cell => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`
const ods = (content: string, more: ZipEntry[] = []) =>
  zip([
    part('mimetype', 'application/vnd.oasis.opendocument.spreadsheet'),
    part('content.xml', content),
    ...more,
  ])
/** A sheet of ODS, merged as in XLSX (`A1:B2`): the first cell has the size, the others are covered. */
function odsMerged(rows: string[][], merged: string): Buffer {
  const ranges = merged.split(' ').map(range => {
    const [from = '', to = ''] = range.split(':')
    const placeOf = (cell: string) => [Number(cell.slice(1)) - 1, cell.charCodeAt(0) - 65] as const
    return { from: placeOf(from), to: placeOf(to) }
  })
  const cell = (text: string, row: number, column: number) => {
    const range = ranges.find(
      ({ from, to }) => row >= from[0] && row <= to[0] && column >= from[1] && column <= to[1],
    )
    if (range && (row !== range.from[0] || column !== range.from[1])) return '<table:covered-table-cell/>'
    const spanned = range
      ? ` table:number-rows-spanned="${range.to[0] - row + 1}" table:number-columns-spanned="${range.to[1] - column + 1}"`
      : ''
    return `<table:table-cell${spanned}><text:p>${text}</text:p></table:table-cell>`
  }
  const xml = rows.map(
    (cells, row) =>
      `<table:table-row>${cells.map((text, at) => cell(text, row, at)).join('')}</table:table-row>`,
  )
  return ods(`<table:table table:name="Crew">${xml.join('')}</table:table>`)
}

const file = { path: 'crew.xlsx' }
const LETTERS = 'ABCDEFGHIJKLMN'

t.test('XLSX: visible sheets are tables, with saved values and dates (ECMA-376-1 §18)', async t => {
  const rows = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" t="s"><v>2</v></c></row>
    <row r="2"><c r="A2" t="s"><v>3</v></c><c r="B2" s="1"><v>45292</v></c><c r="D2" s="2"><f>1/3+WEBSERVICE("http://127.0.0.1:9")</f><v>0.30000000000000004</v></c></row>
    <row r="3"><c r="A3" t="str"><f>"B"&amp;"o"</f><v>Bo</v></c><c r="B3" s="1"><v>45292.5</v></c><c r="C3" t="b"><v>1</v></c><c r="D3" t="e"><v>#REF!</v></c></row>`
  const texts =
    '<si><t>name</t></si><si><r><t>bo</t></r><r><t>rn</t></r></si><si><t>pay</t><rPh><t>ペイ</t></rPh></si><si><t>Ada</t></si>'
  const workbook = xlsx({ Crew: rows, Secret: inline(['name', 'pay']) }, { texts, state: ' state="hidden"' })
  t.strictSame(shown(await text('xlsx', workbook, file)), [
    'Ada is Ada (crew)',
    'Ada: born: 2024-01-01',
    'Bo is Bo (crew)',
    'Bo: born: 2024-01-01T12:00:00Z',
  ])
})

/** Rows of a sheet by their cells; empty ones are left out. */
const grid = (rows: string[][]) =>
  rows
    .map((cells, row) => {
      const written = cells.map((cell, at) => {
        const place = `r="${String.fromCharCode(65 + at)}${row + 1}"`
        if (cell === '') return `<c ${place}/>`
        return /^\d+$/.test(cell)
          ? `<c ${place}><v>${cell}</v></c>`
          : `<c ${place} t="inlineStr"><is><t>${cell}</t></is></c>`
      })
      return `<row r="${row + 1}">${written.join('')}</row>`
    })
    .join('')

t.test(
  'XLSX and ODS: merged cells are said of every row and column that they cover (ECMA-376-1 §18.3.1.55)',
  async t => {
    const cases: { of: string; rows: string[][]; merged: string; says: string[] }[] = [
      {
        of: 'a cell over several rows',
        rows: [
          ['name', 'team', 'pay'],
          ['Ada', 'Lens', '7'],
          ['Bo', '', '8'],
          ['Cy', 'Dome', '9'],
        ],
        merged: 'B2:B3',
        says: ['Ada — team → Lens', 'Bo — team → Lens', 'Cy — team → Dome'],
      },
      {
        of: 'headings over several columns, and one two rows high',
        rows: [
          ['name', 'Sales', '', 'Costs', ''],
          ['', '2023', '2024', '2023', '2024'],
          ['Ada', '1', '2', '3', '4'],
        ],
        merged: 'A1:A2 B1:C1 D1:E1',
        says: ['Ada: sales 2023: 1; sales 2024: 2; costs 2023: 3; costs 2024: 4'],
      },
      {
        of: 'three rows of headings below a title',
        rows: [
          ['Harvest of all gardens', '', ''],
          ['name', 'Fruit', ''],
          ['', 'Apples', 'Pears'],
          ['', '(kg)', '(kg)'],
          ['Ada', '5', '6'],
        ],
        merged: 'A1:C1 A2:A4 B2:C2',
        says: ['Ada: fruit apples (kg): 5; fruit pears (kg): 6'],
      },
      {
        of: 'a title in the middle, above the names of columns',
        rows: [
          ['', 'Crew', ''],
          ['', 'name', 'pay'],
          ['', 'Ada', '7'],
        ],
        merged: 'B1:C1',
        says: ['Ada: pay: 7'],
      },
      {
        of: 'a heading of rows, beside more of them than a header has',
        rows: [
          ['name', 'Posts', ''],
          ['', 'team', 'place'],
          ...Array.from({ length: 12 }, (_, at) => ['', `Lens ${LETTERS[at]}`, 'Dome']),
        ],
        merged: 'A1:A14 B1:C1',
        says: ['Lens C', 'Lens L'].map(name => `${name} is ${name} (crew)`),
      },
      {
        of: 'headings in every row',
        rows: Array.from({ length: 14 }, (_, at) => [`Row ${LETTERS[at]}`, 'Dome', '']),
        merged: Array.from({ length: 14 }, (_, at) => `B${at + 1}:C${at + 1}`).join(' '),
        says: ['Row N is Row N (crew)'],
      },
      {
        of: 'a remark over two columns below the first row',
        rows: [
          ['name', 'team', 'pay'],
          ['Ada', 'left', ''],
          ['Bo', 'Dome', '8'],
        ],
        merged: 'B2:C2',
        says: ['Ada: team: left', 'Bo: team: Dome; pay: 8'],
      },
    ]
    for (const { of, rows, merged, says } of cases) {
      const ranges = merged.split(' ').map(range => `<mergeCell ref="${range}"/>`)
      const sheet = `${grid(rows)}</sheetData><mergeCells>${ranges.join('')}</mergeCells><sheetData>`
      for (const [format, workbook] of [
        ['xlsx', xlsx({ Crew: sheet })],
        ['ods', odsMerged(rows, merged)],
      ] as const) {
        const parsed = await text(format, workbook, file)
        const said = [
          ...shown(parsed),
          ...passages(parsed).map(p => `${p.title}: ${p.text.replaceAll('\n', '; ')}`),
        ]
        t.strictSame(
          says.filter(line => !said.includes(line)),
          [],
          `${format}, ${of}: ${said.join(' | ')}`,
        )
      }
    }
  },
)

t.test(
  'XLSX: characters that XML cannot hold are written with their code (ECMA-376-1 §22.9.2.19)',
  async t => {
    const cases = [
      ['one_x000D_ two', 'one two'],
      ['_x005F_x000D_', '_x000D_'],
      ['max_x00e9_', 'maxé'],
      ['_xD800__x0000_z', 'z'],
      ['a_x_b', 'a_x_b'],
    ]
    for (const [written, meant] of cases) {
      const workbook = xlsx({ Crew: inline(['name', 'pay']) + inline([written ?? '', '7 days']) })
      t.match(shown(await text('xlsx', workbook, file))[0], `${meant} is ${meant} (crew)`)
    }
  },
)

t.test('XLSX: a workbook is where its package says (ECMA-376-2 §6.5)', async t => {
  const workbook = zip([
    part(
      '_rels/.rels',
      `<Relationships><Relationship Id="a" Type="${RELATIONSHIPS}/officeDocument" Target="/book.xml"/></Relationships>`,
    ),
    part(
      'book.xml',
      `<workbook xmlns:r="${RELATIONSHIPS}"><sheets><sheet name="Crew" own:id="r1"/></sheets></workbook>`,
    ),
    part('_rels/book.xml.rels', '<Relationships><Relationship Id="r1" Target="crew.xml"/></Relationships>'),
    part(
      'crew.xml',
      `<worksheet><sheetData>${inline(['name', 'pay']) + inline(['Ada', '7 days'])}</sheetData></worksheet>`,
    ),
  ])
  t.strictSame(shown(await text('xlsx', workbook, file)), ['Ada is Ada (crew)', 'Ada: pay: 7 days'])
})

t.test(
  'ODS: rows down to the end of the sheet are read once, notes not (OpenDocument 1.3 part 3 §9.1)',
  async t => {
    const cell = (value: string, more = '') =>
      `<table:table-cell${more}><text:p>${value}</text:p></table:table-cell>`
    const date = cell('1. Jan', ' office:value-type="date" office:date-value="2024-01-01"')
    const content = `<office:spreadsheet><table:table table:name="Sheet1">
    <table:table-row>${cell('name')}${cell('born')}${cell('n')}${cell('')}</table:table-row>
    <table:table-row>${cell('A<text:s/>da<office:annotation><text:p>no</text:p></office:annotation>')}${date}${cell('7', ' office:value-type="float" office:value="7.5" table:number-columns-repeated="2"')}</table:table-row>
    <table:table-row table:number-rows-repeated="1048576">${cell('Bo')}<table:table-cell table:number-columns-repeated="16384"/></table:table-row>
    </table:table></office:spreadsheet>`
    t.strictSame(shown(await text('ods', ods(content), { path: 'crew.ods' })), [
      'A da is A da (crew)',
      'A da: born: 2024-01-01',
      'Bo is Bo (crew)',
    ])
  },
)

t.test('workbooks made to harm are refused, or read within their bounds', async t => {
  const many = '<c/>'.repeat(1_000)
  const cases: [string, string, Buffer, RegExp | string[]][] = [
    ['no cells', 'xlsx', xlsx({ A: '' }), /no cells with values/],
    [
      'names of columns',
      'xlsx',
      xlsx({ A: '<row r="1"><c r="A1" t="str"><v>Name</v></c><c r="B1" t="str"><v>Age</v></c></row>' }),
      /no rows below the first/,
    ],
    ['no workbook', 'xlsx', zip([part('xl/a.xml', '')]), /not an XLSX workbook/],
    [
      'a password',
      'ods',
      ods('<a/>', [part('META-INF/manifest.xml', '<m><encryption-data/></m>')]),
      /has a password/,
    ],
    ['no zip', 'ods', Buffer.from('PK\x03\x04'), /not a complete ODS/],
    [
      'a bomb',
      'xlsx',
      xlsx({ A: `<row>${'<c t="str"><v>a</v></c>'.repeat(400_000)}</row>` }),
      /200 times its size/,
    ],
    [
      'entities',
      'xlsx',
      xlsx(
        { A: `${inline(['name', 'x'])}${inline(['&a;&b;', '1'])}` },
        { doctype: '<!DOCTYPE a [<!ENTITY a "aaaaaaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>' },
      ),
      ['&a;&b; is &a;&b; (a)', '&a;&b;: x: 1'],
    ],
    [
      'places that are none',
      'xlsx',
      xlsx({
        A: `${inline(['name', 'x'])}<row r="999999999999"><c r="ZZZ9" t="s"><v>-1</v></c><c r="A1" t="s"><v>1e99</v></c><c r="XFD1" t="str"><v>far</v></c><c r="B1" t="str"><v>near</v></c>${many}</row>`,
      }),
      ['near is near (a)'],
    ],
    [
      'dates that are none',
      'xlsx',
      xlsx({ A: `${inline(['name', 'x'])}<row><c t="str"><v>Ada</v></c><c s="1"><v>1e300</v></c></row>` }),
      ['Ada is Ada (a)', 'Ada: x: 1e300'],
    ],
  ]
  for (const [what, format, bytes, expected] of cases) {
    const said = await text(format, bytes, file).then(shown, (error: Error) => error.message)
    if (Array.isArray(expected)) t.strictSame(said, expected, what)
    else t.match(said, expected, what)
  }
})

t.test('XLSX: what an answer out of a row leads with is the cell below all its headings', async t => {
  const rows = grid([
    ['name', 'Sales', '', 'team'],
    ['', '2023', '2024', ''],
    ['Ada Ek', '11', '12', 'Lens'],
  ])
  const merged = ['A1:A2', 'B1:C1', 'D1:D2'].map(range => `<mergeCell ref="${range}"/>`)
  const sheet = `${rows}</sheetData><mergeCells>${merged.join('')}</mergeCells><sheetData>`
  const [row] = passages(await text('xlsx', xlsx({ Crew: sheet }), file))
  const cases = [
    ['What were the sales of Ada Ek in 2024?', 'Ada Ek — sales 2024: 12'],
    ['Which team is Ada Ek in?', 'Ada Ek — team: Lens'],
  ]
  for (const [question = '', lead = ''] of cases)
    t.equal(bestCells(row?.title ?? '', row?.text ?? '', askedIn(question))?.text, lead, question)
})

t.test(
  'ODS: what is merged over rows ends with them, also where rows are repeated; nonsense is merged over nothing',
  async t => {
    const cell = (text: string, more = '') =>
      `<table:table-cell${more}><text:p>${text}</text:p></table:table-cell>`
    const row = (cells: string, more = '') => `<table:table-row${more}>${cells}</table:table-row>`
    const covered = '<table:covered-table-cell/>'
    const sheet = (span: string) =>
      ods(
        `<table:table table:name="Crew">${row(cell('name') + cell('team') + cell('pay'))}${row(cell('Ada') + cell('Lens', span) + cell('7'))}${row(cell('Bo') + covered + cell('8'), ' table:number-rows-repeated="2"')}${row(cell('Cy') + cell('') + cell('9'))}</table:table>`,
      )
    const teams = async (span: string) =>
      shown(await text('ods', sheet(span), file)).filter(line => line.includes('— team →'))
    t.strictSame(
      await teams(' table:number-rows-spanned="3"'),
      [1, 2, 3].map(row => `crew.xlsx > Crew ${row} — team → Lens`),
    )
    for (const span of ['0', '-5', 'x', '1e999', ''])
      t.ok((await text('ods', sheet(` table:number-columns-spanned="${span}"`), file)).length > 0, span)
  },
)

t.test('XLSX and ODS: the address behind a cell is a link (ECMA-376-1 §18.3.1.47)', async t => {
  const cells = grid([
    ['name', 'site', 'mail', 'other', 'pay'],
    ['Ada', 'Lens', 'ada@lens.example', 'Sheet', '7'],
    ['Bo', 'Dome', 'https://dome.example/', 'x', '8'],
  ]).replace('<t>x</t></is></c>', '<t>x</t></is><f>HYPERLINK("https://f.example/a_(b)","x")</f></c>')
  const links = ['A2', 'B2:B3', 'C2', 'D2', 'C3'].map((ref, at) => `<hyperlink r:id="l${at}" ref="${ref}"/>`)
  const sheet = `${cells}</sheetData><hyperlinks>${links.join('')}</hyperlinks><sheetData>`
  const targets = [
    'https://a.example/?a=1&amp;b=2',
    'https://lens.example/',
    'mailto:ada@lens.example',
    '#Sheet2!A1',
    'https://dome.example/',
  ]
  const relations = targets.map(
    (target, at) =>
      `<Relationship Id="l${at}" Type="${RELATIONSHIPS}/hyperlink" Target="${target}" TargetMode="External"/>`,
  )
  const rels = part('xl/worksheets/_rels/s0.xml.rels', `<Relationships>${relations.join('')}</Relationships>`)
  const sink = documentSink()
  const parsed = await text('xlsx', xlsx({ Crew: sheet }, { more: [rels] }), { ...file, document: sink })
  const said = (parsed: Parsed[]) =>
    passages(parsed).map(({ title, text }) => `${title}: ${text.replaceAll('\n', '; ')}`)
  t.strictSame(said(parsed), [
    'Ada: name: [Ada](https://a.example/?a=1&b=2); site: [Lens](https://lens.example/); mail: ada@lens.example; other: Sheet; pay: 7',
    'Bo: site: Dome; mail: https://dome.example/; other: [x](https://f.example/a_%28b%29); pay: 8',
  ])
  t.match(
    sink.said[0]?.text,
    'Ada (https://a.example/?a=1&b=2),Lens (https://lens.example/),ada@lens.example,',
  )
  const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`
  const link = '<text:a xlink:href="https://lens.example/">Lens</text:a> in Rome'
  const rows = [
    ['name', 'site'],
    ['Ada', link],
    ['Bo', 'Dome'],
  ].map(row => `<table:table-row>${row.map(cell).join('')}</table:table-row>`)
  const table = await text('ods', ods(`<table:table table:name="Crew">${rows.join('')}</table:table>`), file)
  t.strictSame(said(table), ['Ada: site: [Lens in Rome](https://lens.example/)', 'Bo: site: Dome'])
})

t.test(
  'XLSX: a cell has what it shows, with its number where digits differ (ECMA-376-1 §18.8.31)',
  async t => {
    const codes: [code: string, value: string, shown: string][] = [
      ['[h]:mm', '1.5208333333333333', '36:30'],
      ['[mm]:ss', '0.01', '14:24'],
      ['00000', '501', '00501'],
      ['0%', '0.25', '25%'],
      ['0%', '0.1234', '12% (0.1234)'],
      ['#,##0.00 "kr"', '1234.5', '1,234.50 kr'],
      ['[$€-407] #,##0.00', '1234.5', '€ 1,234.50'],
      ['_($* #,##0.00_);_($* (#,##0.00);_(@_)', '-7.5', '$(7.50)'],
      ['0.0 "kg"', '3.25', '3.3 kg (3.25)'],
      ['0.0,,"M"', '2500000', '2.5M (2500000)'],
      ['000-00-0000', '123456789', '123-45-6789'],
      ['General', '0.1000000000000000055', '0.1'],
      ['0', '9007199254740993', '9007199254740993'],
      ['[Red]yyyy"h"', '45292', '2024-01-01'],
      ['h:mm', '0.5', '12:00:00'],
      ['bad[[', '3', '3'],
    ]
    const escaped = (code: string) => code.replaceAll('"', '&quot;')
    const styles = `<styleSheet><numFmts>${codes.map(([code], at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code)}"/>`).join('')}</numFmts><cellXfs>${codes.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join('')}</cellXfs></styleSheet>`
    const rows = `${inline(['item', 'worth'])}${codes.map(([, value], at) => `<row><c t="inlineStr"><is><t>item ${at}</t></is></c><c s="${at}"><v>${value}</v></c></row>`).join('')}`
    const workbook = xlsx({ Log: rows }, { styles })
    const found = passages(await text('xlsx', workbook, file)).map(({ text }) => text)
    t.strictSame(
      found,
      codes.map(([, , shown]) => `worth: ${shown}`),
    )
  },
)

t.test('ODS: repeated rows with values are as many rows, and numbers are as they are shown', async t => {
  const cell = (text: string, more = '') =>
    `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`
  const float = (value: string) => `office:value-type="float" office:value="${value}"`
  const row = (cells: string, more = '') => `<table:table-row ${more}>${cells}</table:table-row>`
  const content = `<table:table table:name="Log">${row(cell('item') + cell('zip') + cell('share'))}${row(cell('oil') + cell('00501', float('501')) + cell('12%', 'office:value-type="percentage" office:value="0.1234"'), 'table:number-rows-repeated="3"')}${row(cell('wick') + cell('1.234,50', float('1234.5')) + cell('9007199254740993', float('9007199254740993')))}</table:table>`
  const { said } = await readSheets('ods', ods(content))
  t.equal(
    said[0]?.text,
    'item,zip,share\noil,00501,12% (0.1234)\noil,00501,12% (0.1234)\noil,00501,12% (0.1234)\nwick,"1.234,50",9007199254740993\n',
  )
})

const readSheets = async (format: string, bytes: Buffer) => {
  const sink = documentSink()
  await text(format, bytes, { path: `a.${format}`, document: sink })
  return sink
}
