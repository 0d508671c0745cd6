import t from 'tap'
import {
  CERTAIN_RULES,
  certainRule,
  STACK_RULES,
  stackRule,
} from '../../../engine/formats/tables/stacked-tables.js'
import { HEADER_RULES, headerRule } from '../../../engine/formats/tables/table-header.js'
import { readingOf } from '../../../engine/formats/tables/table-reading.js'
import { DIFFERENCE_RULES, NAME_RULES, ROLE_RULES } from '../../../engine/formats/tables/table-rules.js'

const rowsOf = (table: string) => table.split('\n').map(line => line.split(',').map(cell => cell.trim()))
const numbered = (table: string) => rowsOf(table).map((cells, at) => ({ line: at + 1, cells }))
const many = (count: number, row: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => row(at)).join('\n')
const reasons = (rules: readonly { because: string }[]) => rules.map(({ because }) => because)

/** A table for each rule, by the column that the rule decides. */
const NAMES: Record<string, [because: string, table: string][]> = {
  'x.csv': [
    ['its cells are no names', 'Born,n\n2020-01-01,1\n2021-01-01,2'],
    ['rows have no cell in it', 'Motto,n\nWork,1\n,2\n,3'],
    ['its header is a word for names', 'Title,n\nTea,1\nMilk,2'],
    ['it is a kind of name', 'Site name,n\nTea,1\nMilk,2'],
    ['its header is often one of names', 'Subject,n\nTea,1\nMilk,2'],
    ['it is a value, or of another thing', 'Comment,n\nTea,1\nMilk,2'],
    ['its cells may be names', 'Colour,n\nred,1\nblue,2'],
  ],
  'customers.csv': [
    ['it is called as a row', 'customer_name,n\nAda,1\nBo,2'],
    ['it describes a row', 'customer description,n\nAda,1\nBo,2'],
  ],
}

t.test('columns: a fixture for each rule by which one has the names of the rows', async t => {
  const decided = Object.entries(NAMES).flatMap(([file, cases]) =>
    cases.map(([because, table]) => {
      const [column] = readingOf(file.replace('.csv', ''), rowsOf(table)).columns
      t.equal(column?.because.name, because, `${table.split('\n')[0]} in ${file}: ${column?.because.name}`)
      return because
    }),
  )
  t.strictSame(decided.sort(), reasons(NAME_RULES).sort())
})

t.test('columns: a fixture for each rule of how cells differ', async t => {
  const cases: [string, string][] = [
    ['all cells differ', 'Colour,n\nred,1\nblue,2'],
    [
      'nearly all cells differ',
      `Colour,n\n${many(20, at => `red ${String.fromCharCode(97 + at)},1`)}\nred a,2`,
    ],
    ['most cells repeat', 'Colour,n\nred,1\nred,2\nred,3\nred,4\nblue,5'],
    ['some cells repeat', 'Colour,n\nred,1\nred,2\nblue,3'],
  ]
  for (const [because, table] of cases)
    t.equal(readingOf('x', rowsOf(table)).columns[0]?.because.difference, because, because)
  t.strictSame(reasons(cases.map(([because]) => ({ because }))).sort(), reasons(DIFFERENCE_RULES).sort())
})

t.test('columns: a fixture for each rule by which one is a link, a relation or a value', async t => {
  const people = (header: string, cells: string[]) =>
    `id,name,${header}\n${cells.map((cell, at) => `${at},P${at},${cell}`).join('\n')}`
  const web = (header: string, cells: string[]) =>
    `iri,name,${header}\n${cells.map((cell, at) => `https://a.example/${at},P${at},${cell}`).join('\n')}`
  const cases: [string, string][] = [
    ['it has no cells', people('Empty', ['', ''])],
    ['it has IRIs, as rows do', web('Knows', ['https://a.example/1', 'https://a.example/0'])],
    ['it is another row', people('Manager', ['P1', 'P0'])],
    ['it has addresses or dates', people('Born', ['2020-01-01', '2021-01-01'])],
    ['it refers to another thing', people('city_id', ['7', '8'])],
    ['its cells are lists', people('Tags', ['tea|milk', 'rum'])],
    ['it has numbers or texts', people('Price', ['7', '8'])],
    ['its cells repeat', people('Colour', ['red', 'red', 'blue', 'red'])],
    ['its header is one of names', people('City', ['Rome', 'Oslo'])],
    ['its cells have several values', people('Likes', ['tea|milk', 'rum|ale', 'gin'])],
    ['its cells differ', people('Motto', ['Work', 'Play'])],
  ]
  for (const [because, table] of cases) {
    const column = readingOf('people', rowsOf(table)).columns[2]
    t.equal(column?.because.role, because, `${column?.header}: ${column?.because.role}`)
  }
  t.strictSame(cases.map(([because]) => because).sort(), reasons(ROLE_RULES).sort())
})

t.test('headers: a fixture for each rule', async t => {
  const cases: [string, string][] = [
    ['it has years and dates only', '2023,2024\n1,2\n3,4'],
    ['a cell is a number, a date or an address', 'Tea,3\nMilk,4'],
    ['most columns have no heading', 'Costs,,,\nTea,red,big,old\nMilk,white,small,new'],
    ['a heading is a value of its own column', 'Ada,Rome\nBo,Oslo\nAda,Bonn'],
    ['it has words above values', 'Item,Cost\nTea,3\nMilk,4'],
  ]
  for (const [because, table] of cases) t.equal(headerRule(rowsOf(table)).because, because, because)
  t.strictSame(cases.map(([because]) => because).sort(), reasons(HEADER_RULES).sort())
})

const COSTS = 'Item,Cost,Day\nTea,3,2024-01-01\nMilk,4,2024-01-02'

t.test('stacked tables: a fixture for each rule by which rows are certainly a table', async t => {
  const cases: [string, string][] = [
    ['it has few rows or columns', 'Sum,7'],
    ['its first row is not a header', 'Milk,4,x\nTea,3,y\nEgg,2,z'],
    ['it has headings of the other table', 'Item,Cost,Shop\nTea,a,b\nMilk,c,d'],
    ['it has words above values', 'Town,Size,Land\nRome,1,x\nOslo,2,y'],
    ['its headings are usual', 'Name,City,Likes\nAda,Rome,tea\nBo,Oslo,milk'],
    ['nothing makes it certain', 'So,Ho,Hum\nAda,Rome,tea\nBo,Oslo,milk'],
  ]
  for (const [because, table] of cases)
    t.equal(certainRule(numbered(table), ['Item', 'Cost', 'Day']).because, because, because)
  t.strictSame(cases.map(([because]) => because).sort(), reasons(CERTAIN_RULES).sort())
})

t.test('stacked tables: a fixture for each rule by which rows are another table', async t => {
  const staff = 'Name,Age,City\nAda,36,Rome\nBo,40,Oslo'
  const cases: [string, string, string][] = [
    ['what is above may be no table', 'Tea,3', staff],
    ['a title is above its header', COSTS, `Staff,,\n${staff}`],
    ['it may be no table', COSTS, 'Sum,7'],
    ['its header is that of the table above', COSTS, COSTS],
    ['it is another table', COSTS, staff],
  ]
  for (const [because, above, rows] of cases)
    t.equal(stackRule(numbered(above), numbered(rows)).because, because, because)
  t.strictSame(cases.map(([because]) => because).sort(), reasons(STACK_RULES).sort())
})
