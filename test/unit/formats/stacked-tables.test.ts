import t from 'tap'
import type { TableSummary } from '../../../engine/formats/tables/table-reading.js'
import { zip } from '../../zip.js'
import { chunks, passages, problems, read } from './read.js'

/** The tables of a file with the columns that name their rows, and the passages of the rows. */
async function tablesOf(format: string, content: string | Uint8Array, path: string) {
  const tables: string[] = []
  const add = ({ table, naming }: TableSummary) => void tables.push(`${table} by ${naming}`)
  const parsed = await read(format, chunks(content), { path, tables: { rows: new Map(), add } })
  if (problems(parsed).length > 0) throw new Error(String(problems(parsed)))
  return {
    tables,
    rows: passages(parsed).map(({ title, text }) => `${title}: ${text.replaceAll('\n', ', ')}`),
  }
}

const COSTS = 'Item,Cost,Day\nTea,3,2024-01-01\nMilk,4,2024-01-02\n'
const STAFF = 'Name,Age,City\nAda,36,Rome\nBo,40,Oslo\n'
const STAFF_ROWS = ['Ada: age: 36, city: Rome', 'Bo: age: 40, city: Oslo']
const COSTS_ROWS = ['Tea: cost: 3, day: 2024-01-01', 'Milk: cost: 4, day: 2024-01-02']

t.test('tables one below another are several, each with its own header', async t => {
  const cases: [string, string, string[], string[]][] = [
    ['behind an empty line', `${COSTS}\n${STAFF}`, ['Budget by Item', 'Budget 2 by Name'], STAFF_ROWS],
    ['behind empty cells', `${COSTS},,\n,,\n${STAFF}`, ['Budget by Item', 'Budget 2 by Name'], STAFF_ROWS],
    ['with a title', `${COSTS},,\nStaff,,\n${STAFF}`, ['Budget by Item', 'Staff by Name'], STAFF_ROWS],
    [
      'with a title above a gap',
      `${COSTS}\nStaff,,\n\n${STAFF}`,
      ['Budget by Item', 'Staff by Name'],
      STAFF_ROWS,
    ],
    [
      'of the same name',
      `${COSTS}\nBudget,,\n${STAFF}\nBudget,,\nTown,Size,Land\nRome,1,x\nOslo,2,y`,
      ['Budget by Item', 'Budget 2 by Name', 'Budget 3 by Town'],
      [...STAFF_ROWS, 'Rome: size: 1, land: x', 'Oslo: size: 2, land: y'],
    ],
    [
      'with less columns',
      `${COSTS}\nItem,Cost\nSugar,5\nSalt,6\nEgg,7\nOil,8\nRice,9\n`,
      ['Budget by Item', 'Budget 2 by Item'],
      ['Oil: cost: 8', 'Rice: cost: 9'],
    ],
    [
      'whose names come again in its rows',
      `${COSTS}\nName,n,City\nAda,1,Rome\nBo,2,Oslo\n${Array.from({ length: 60 }, (_, at) => `Cy ${at},3,${at < 20 ? 'Bonn' : 'City'}\n`).join('')}`,
      ['Budget by Item', 'Budget 2 by Name'],
      ['Cy 59: n: 3, city: City'],
    ],
    [
      'over years',
      'In,2023,2024\nSales,1,2\nRent,3,4\n\nOut,2023,2024\nPay,5,6\nPower,7,8',
      ['Budget by In', 'Budget 2 by Out'],
      [
        'Sales: 2023: 1, 2024: 2',
        'Rent: 2023: 3, 2024: 4',
        'Pay: 2023: 5, 2024: 6',
        'Power: 2023: 7, 2024: 8',
      ],
    ],
  ]
  for (const [why, content, tables, rows] of cases) {
    const found = await tablesOf('csv', content, 'Budget.csv')
    t.strictSame(found.tables, tables, why)
    t.strictSame(found.rows.slice(-rows.length), rows, why)
  }
})

t.test('rows behind an empty one belong to the table above unless they certainly are another', async t => {
  const cases = {
    'more of them': `${COSTS}\nSugar,5,2024-01-03\nSalt,6,2024-01-04\n`,
    'a sum': `${COSTS}\n,7,\n`,
    'the same header once more': `${COSTS}\n${COSTS.replace('Tea', 'Egg').replace('Milk', 'Oil')}`,
    'one row': `${COSTS}\nName,Age,City\nAda,36,Rome\n`,
    'what is said above a table': `Report,Sales\nYear,2024\nPages,12\n\n${COSTS}`,
  }
  for (const [why, content] of Object.entries(cases)) {
    const { tables, rows } = await tablesOf('csv', content, 'Budget.csv')
    t.strictSame(tables, ['Budget by Item'], why)
    for (const row of COSTS_ROWS) t.ok(rows.includes(row), why)
  }
  const words = 'name,team,role,city\nAda,Lens,dev,Rome\nBo,Dome,ops,Oslo\n'
  const more = await tablesOf('csv', `${words}\nfresh,bread,five,today\nold,cake,one,soon\n`, 'Staff.csv')
  t.strictSame([more.tables, more.rows.length], [['Staff by name'], 4], 'words that may be a header')
  const three = await tablesOf('csv', `a,b,c\n1,2,3\n\n\n4,5,6\n\n${COSTS}`, 'Budget.csv')
  t.strictSame(three.rows.length, 4, 'three columns, which are held')
  const facts = await read('csv', chunks('Ada,knows,Bo\nBo,knows,Cy\n\n \nCy,likes,Di\n'))
  t.equal(facts.length, 3, 'triples')
  const waiting = await tablesOf('csv', `${COSTS}\n${STAFF}${'Cy,50,Bonn\n'.repeat(600)}`, 'Budget.csv')
  t.strictSame([waiting.tables.length, waiting.rows.length], [2, 604])
})

/** Rows at their places; missing ones are not in the file. */
const xml = (content: string) =>
  content
    .split('\n')
    .map((row, at) => {
      const cells = row.split(',').map(cell => `<c t="inlineStr"><is><t>${cell}</t></is></c>`)
      return row.replaceAll(',', '') === '' ? '' : `<row r="${at + 1}">${cells.join('')}</row>`
    })
    .join('')

t.test('tables one below another in a sheet are several', async t => {
  const workbook = zip([
    { name: '[Content_Types].xml', content: '<Types/>' },
    {
      name: 'xl/workbook.xml',
      content:
        '<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Year" r:id="r0"/></sheets></workbook>',
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: '<Relationships><Relationship Id="r0" Target="/xl/worksheets/s0.xml"/></Relationships>',
    },
    {
      name: 'xl/worksheets/s0.xml',
      content: `<worksheet><sheetData>${xml(`${COSTS}\nStaff,,\n${STAFF}`)}</sheetData></worksheet>`,
    },
  ])
  const found = await tablesOf('xlsx', workbook, 'Budget.xlsx')
  t.strictSame(found.tables, ['Year by Item', 'Staff by Name'])
  t.strictSame(found.rows, [...COSTS_ROWS, ...STAFF_ROWS])
  const cell = (text: string) =>
    `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`
  const rows = `${COSTS}\n${STAFF}`
    .trim()
    .split('\n')
    .map(
      row =>
        `<table:table-row${row === '' ? ' table:number-rows-repeated="3"' : ''}>${row.split(',').map(cell).join('')}</table:table-row>`,
    )
  const sheet = zip([
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet' },
    {
      name: 'content.xml',
      content: `<office:document-content><office:body><office:spreadsheet><table:table table:name="Year">${rows.join('')}</table:table></office:spreadsheet></office:body></office:document-content>`,
    },
  ])
  const ods = await tablesOf('ods', sheet, 'Budget.ods')
  t.strictSame(ods.tables, ['Year by Item', 'Year 2 by Name'])
  t.strictSame(ods.rows, [...COSTS_ROWS, ...STAFF_ROWS])
})
