import t from 'tap'
import { paragraphsOf } from '../../../engine/formats/office/pdf-page.js'
import { docx } from '../../docx.js'
import { zip } from '../../zip.js'
import { passages, shown, text } from './read.js'

/** The texts of the passages, one below the other. */
const said = async (format: string, content: string | Uint8Array, path = `a.${format}`) =>
  passages(await text(format, content, { path }))
    .map(({ text }) => text)
    .join('\n\n')

t.test('raised and lowered numbers in notes, sheets and lines keep their value', async t => {
  t.equal(
    await said('markdown', '# A\n\n10<sup>-9</sup> of H<sub>2</sub>O, as said<sup>4</sup>'),
    '10⁻⁹ of H₂O, as said[4]',
  )
  t.equal(await said('tiddlywiki', 'title: A\n\nAbout 10^^12^^ of CO,,2,,.'), 'About 10¹² of CO₂.')
  t.equal(await said('html', '<p>x<sub>k</sub><sup>2</sup> of it</p>'), 'xk² of it')
  const run = (text: string, kind = '') =>
    `<r>${kind && `<rPr><vertAlign val="${kind}"/></rPr>`}<t xml:space="preserve">${text}</t></r>`
  const rich = run('4 · 10') + run('15', 'superscript') + run(' C') + run('6', 'subscript')
  const cell = (content: string) => `<c t="inlineStr"><is>${content}</is></c>`
  const row = (...cells: string[]) => `<row>${cells.map(cell).join('')}</row>`
  const relation = (id: string, target: string) => `<Relationship Id="${id}" Target="${target}"/>`
  const workbook = (texts: string, rows: string) =>
    zip([
      {
        name: 'xl/workbook.xml',
        content: '<workbook><sheets><sheet name="S" r:id="r"/></sheets></workbook>',
      },
      {
        name: 'xl/_rels/workbook.xml.rels',
        content: `<Relationships>${relation('r', 'worksheets/s.xml')}${relation('t', 'sharedStrings.xml')}</Relationships>`,
      },
      { name: 'xl/sharedStrings.xml', content: `<sst>${texts}</sst>` },
      { name: 'xl/worksheets/s.xml', content: `<worksheet><sheetData>${rows}</sheetData></worksheet>` },
    ])
  const head = row('<t>Name</t>', '<t>Size</t>')
  const inCell = workbook('', head + row('<t>Sun</t>', rich) + row('<t>Moon</t>', '<t>3</t>'))
  t.match(await said('xlsx', inCell), /size: 4 · 10¹⁵ C₆/)
  const shared = workbook(`<si>${rich}</si>`, `${head}<row>${cell('<t>Sun</t>')}<c t="s"><v>0</v></c></row>`)
  t.match(await said('xlsx', shared), /4 · 10¹⁵ C₆/)
  const style =
    '<style:style style:name="U" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>'
  const string = (text: string) =>
    `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`
  const odsRow = (...cells: string[]) => `<table:table-row>${cells.map(string).join('')}</table:table-row>`
  const ods = zip([
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet' },
    {
      name: 'content.xml',
      content: `<office:document-content><office:automatic-styles>${style}</office:automatic-styles><office:body><office:spreadsheet><table:table table:name="S">${odsRow('Name', 'Size')}${odsRow('Sun', '10<text:span text:style-name="U">15</text:span> m')}${odsRow('Moon', '3')}</table:table></office:spreadsheet></office:body></office:document-content>`,
    },
  ])
  t.match(await said('ods', ods), /size: 10¹⁵ m/)
  const raised = '<w:r><w:rPr><w:position w:val="7"/></w:rPr><w:t>8</w:t></w:r>'
  t.equal(await said('docx', docx(`<w:p><w:r><w:t>10</w:t></w:r>${raised}</w:p>`)), '10⁸', 'raised by points')
})

t.test('PDF: numbers raised by a browser, and brackets from right to left (UAX #9 L4)', t => {
  const piece = (str: string, left: number, more: object = {}) => ({
    ...{ str, dir: 'ltr', width: str.length * 5, height: 12, hasEOL: false, fontName: 'f' },
    ...{ transform: [12, 0, 0, 12, left, 700], ...more },
  })
  const small = { height: 10.7, transform: [10.7, 0, 0, 10.7, 20, 705.3] }
  t.strictSame(paragraphsOf([piece('10', 10), piece('15', 20, small), piece(' m', 30)]), ['10¹⁵ m'])
  const rtl = { dir: 'rtl' }
  const line = [
    piece('מה', 10, rtl),
    piece(' (', 20),
    piece('Oslo', 30),
    piece(') ', 50),
    piece('של', 60, rtl),
  ]
  t.strictSame(paragraphsOf(line), ['של (Oslo) מה'])
  t.end()
})

t.test('a cell of a table covers rows of its own part only (HTML §4.9.12)', async t => {
  const table =
    '<table><tbody><tr><td rowspan="0">May</td><td>1</td></tr><tr><td>2</td></tr></tbody><tbody><tr><td>June</td><td rowspan="9">3</td></tr></tbody><tfoot><tr><td>All</td><td>6</td></tr></tfoot></table>'
  t.equal(await said('html', table), '| May | 1 |\n| --- | --- |\n| May | 2 |\n| June | 3 |\n| All | 6 |')
})

t.test('Markdown: entities are characters, except in code', async t => {
  t.equal(await said('markdown', '# A\n\nli&shy;ght &amp; fog&mdash;&#955; `&amp;`'), 'light & fog—λ `&amp;`')
})

t.test(
  'calendar: hours of a rule, days that meet two conditions, times with entries of their own',
  async t => {
    const event = (uid: string, lines: string[]) =>
      ['BEGIN:VEVENT', `UID:${uid}`, `SUMMARY:${uid}`, ...lines, 'END:VEVENT'].join('\r\n')
    const rule = async (rule: string, start = 'DTSTART:20260213T080000Z') => {
      const calendar = `BEGIN:VCALENDAR\r\n${event('e', [start, `RRULE:${rule}`])}\r\nEND:VCALENDAR\r\n`
      return /Repeats: (.*)/.exec(await said('calendar', calendar))?.[1]
    }
    t.equal(await rule('FREQ=DAILY;BYHOUR=8,20;BYMINUTE=30'), 'every day at 08:30 and 20:30')
    t.equal(await rule('FREQ=DAILY;BYHOUR=8'), 'every day', 'as the first one')
    t.equal(await rule('FREQ=HOURLY;BYMINUTE=0,30'), 'every hour at minute 00 and 30')
    t.equal(await rule('FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13'), 'every month on Friday, if it is day 13')
    const moved = event('s', ['RECURRENCE-ID:20260220T080000Z', 'DTSTART:20260221T080000Z'])
    const series = event('s', ['DTSTART:20260213T080000Z', 'RRULE:FREQ=WEEKLY'])
    const zone = '/example.org/20260101/Europe/Oslo'
    const other = event('o', [`DTSTART;TZID=${zone}:20260701T090000`])
    const parsed = await text(
      'calendar',
      `BEGIN:VCALENDAR\r\n${moved}\r\n${series}\r\n${other}\r\nEND:VCALENDAR\r\n`,
    )
    const [first, second, third] = passages(parsed)
    t.match(first?.text, /In place of: 2026-02-20 08:00/)
    t.match(second?.text, /Repeats: every week on Friday\nExceptions: 2026-02-20$/)
    t.equal(third?.time, Date.UTC(2026, 6, 1, 7))
  },
)

t.test('mail: quoted lines that flow, and a message inside of another one', async t => {
  const flowed = (delsp: string) =>
    `From: a@example.org\nSubject: S\nContent-Type: text/plain;\n format=flowed${delsp}\n\nIt \ngoes on.\n\n> He \n> said \n>> more \n> so\n`
  t.equal(await said('mail', flowed('')), 'It goes on.\n\n> He said\n> more\n> so')
  t.equal(await said('mail', flowed('; delsp=yes')), 'Itgoes on.\n\n> Hesaid\n> more\n> so')
  const inner =
    'From: Bo <bo@example.org>\nSubject: In\nDate: Thu, 30 Apr 2026 09:00:00 +0000\n\nInner words.\n'
  const outer = `From: a@example.org\nSubject: Out\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/html\n\n<p style="display:none">Hidden</p><p>Seen</p>\n--b\nContent-Type: message/rfc822\n\n${inner}--b--\n`
  t.equal(
    await said('mail', outer),
    'Seen\n\nFrom: Bo <bo@example.org>\nDate: 2026-04-30 09:00\nSubject: In\n\nInner words.',
  )
})

t.test('lists in the cells of tables are several things', async t => {
  const links = async (table: string) =>
    shown(await text('csv', table, { path: 'a.csv' })).filter(line => line.includes('→'))
  t.strictSame(await links('Title,Tags,n\nOil,"fog, red buoy",1\nWick,,2\n'), [
    'Oil — tags → fog',
    'Oil — tags → red buoy',
  ])
  t.strictSame(await links('Title,Keywords,n\nOil,"[""fog"",""red buoy""]",1\nWick,[],2\n'), [
    'Oil — keywords → fog',
    'Oil — keywords → red buoy',
  ])
  t.strictSame(await links('Title,Authors,n\nOil,"Ada Ex, Bo Ex",1\nWick,"Ex, Cy",2\n'), [])
  t.strictSame(await links('Title,Author,n\nOil,"Ex, Ada; Ex, Bo",1\nWick,"Ex, Cy",2\n'), [
    'Oil — author → Ex, Ada',
    'Oil — author → Ex, Bo',
    'Wick — author → Ex, Cy',
  ])
  const contacts = await text('csv', 'Name,Labels,E-mail\nAda,* mine ::: crew,a@b.co ::: c@d.co\nBo,crew,\n')
  t.strictSame(
    shown(contacts)
      .filter(line => /→|^Ada:/.test(line))
      .slice(0, 2),
    ['Ada — labels → mine', 'Ada — labels → crew'],
  )
  t.match(passages(contacts)[0]?.text, /e mail: a@b\.co, c@d\.co/)
  t.notMatch(await said('csv', 'Title,ISBN,n\nOil,"=""""",1\nWick,"=""012""",2\n'), /=/)
})

t.test('hours below zero, and text that was deleted', async t => {
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="[h]:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs></styleSheet>'
  const { CellFormats } = await import('../../../engine/formats/tables/cell-formats.js')
  const elements = [...styles.matchAll(/<(\w+)((?:\s\w+="[^"]*")*)/g)].map(([, name = '', all = '']) => ({
    name,
    attributes: Object.fromEntries(
      [...all.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
    ),
    text: '',
  }))
  t.equal(new CellFormats(elements as never, false).textOf('-1.25', 1), '-30:00')
  t.equal(await said('rtf', '{\\rtf1 Kept{\\deleted  gone}\\par}'), 'Kept')
})
