import t from 'tap'
import { readArguments } from '../../../mcp/arguments.js'
import { toolNames } from '../../../mcp/tools/names.js'
import { inputSchema } from '../../../mcp/tools/query-schema.js'

const schema = inputSchema(toolNames('svc'))
const read = (args: Record<string, unknown>) => readArguments(args, schema, { q: 'query' })
const ignored = (name: string, field: string) =>
  `"${name}" was ignored because there is no such argument. Did you mean "${field}"?`

t.test('X14 an ignored argument is named if it is two letters off or begins with one of ours', async t => {
  const cases: [name: string, field: string | null][] = [
    ['entitis', 'entities'],
    ['entittys', 'entities'],
    ['entxxxes', null],
    ['limt', 'limit'],
    ['limitt', 'limit'],
    ['lmt', null],
    ['depht', null],
    ['mod', 'mode'],
    ['md', null],
    ['tp', null],
    ['max-tokens', 'max_tokens'],
    ['MAX_TOKENS', 'max_tokens'],
    ['queryText', 'query'],
    ['fromDate', 'from'],
    ['toDate', null],
    ['random', null],
    ['wait_for_previous', null],
    ['', null],
    [`query${'x'.repeat(35)}`, 'query'],
    [`query${'x'.repeat(36)}`, null],
  ]
  for (const [name, field] of cases)
    t.strictSame(
      read({ [name]: 1 }),
      { values: {}, notes: field === null ? [] : [ignored(name, field)] },
      name,
    )
})

t.test('X14 of very many unknown arguments the first twenty are compared', async t => {
  const args = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`limit${at}`, 1]))
  t.equal(read(args).notes.length, 20)
})

t.test('X14 a synonym stands for its argument unless that one is given', async t => {
  t.strictSame(read({ q: 'Ada' }), { values: { query: 'Ada' }, notes: [] })
  t.strictSame(read({ q: 'Bob', query: 'Ada' }), { values: { query: 'Ada' }, notes: [] })
  t.strictSame(read({ q: 'Bob', query: '' }), { values: { query: 'Bob' }, notes: [] })
  t.strictSame(read({ q: null }), { values: {}, notes: [] })
})

t.test('X10, X14 numbers at a bound are left alone, beyond it they are clamped', async t => {
  t.strictSame(read({ limit: 50, depth: 1 }), { values: { limit: 50, depth: 1 }, notes: [] })
  t.strictSame(read({ max_tokens: 1e9 }), {
    values: { max_tokens: 20_000 },
    notes: ['"max_tokens" was lowered to 20000, the maximum.'],
  })
  t.strictSame(read({ limit: '51', depth: '-7' }), {
    values: { limit: 50, depth: 1 },
    notes: ['"limit" was lowered to 50, the maximum.', '"depth" was raised to 1, the minimum.'],
  })
  for (const limit of [1.5, '1.5', '5x', 'five', true, {}, ['5'], Number.POSITIVE_INFINITY, '1e2'])
    t.strictSame(read({ limit }).values, { limit }, `${limit} is left for the schema to refuse`)
})

t.test('X14 a list may be one item, or JSON as text, and a number text', async t => {
  const cases: [args: Record<string, unknown>, values: Record<string, unknown>][] = [
    [{ entities: 'Ada' }, { entities: ['Ada'] }],
    [{ entities: ' ["Ada", "", null, "Bob"]' }, { entities: ['Ada', 'Bob'] }],
    [{ entities: '[Ada' }, { entities: ['[Ada'] }],
    [{ entities: '5' }, { entities: ['5'] }],
    [{ entities: 5 }, { entities: 5 }],
    [{ entities: { name: 'Ada' } }, { entities: { name: 'Ada' } }],
    [{ entities: [] }, { entities: [] }],
    [{ steps: { relation: 'knows' } }, { steps: [{ relation: 'knows' }] }],
    [{ steps: '[{"relation":"knows"}]' }, { steps: [{ relation: 'knows' }] }],
    [{ steps: 'knows' }, { steps: 'knows' }],
    [
      { limit: '5.0', depth: ' 3 ', max_tokens: '"500"' },
      { limit: 5, depth: 3, max_tokens: 500 },
    ],
    [{ types: ['', null, 'person'] }, { types: ['person'] }],
  ]
  for (const [args, values] of cases) t.strictSame(read(args), { values, notes: [] }, JSON.stringify(args))
})

t.test('X14 one pair of quotes and blanks around a text are removed', async t => {
  for (const safe of ['abc', ' abc ', '"abc"', "'abc'", '`abc`', ' "abc" '])
    t.strictSame(read({ safe }).values, { safe: 'abc' }, safe)
  for (const safe of ['"abc', '"abc\'', 'a"b"c']) t.strictSame(read({ safe }).values, { safe }, safe)
  t.strictSame(read({ mode: 'PATH', detail: '"Brief"' }).values, { mode: 'path', detail: 'brief' })
  t.strictSame(read({ mode: 'SPARQL' }).values, { mode: 'SPARQL' })
  t.strictSame(read({ query: 7 }).values, { query: 7 })
})

t.test('X14 a year given as a number is text; other numbers are refused by the schema', async t => {
  t.strictSame(read({ as_of: 2021, query: 1984 }).values, { as_of: '2021', query: '1984' })
  t.strictSame(read({ as_of: 20210501, since: 2021.5 }).values, { as_of: 20210501, since: 2021.5 })
  t.strictSame(read({ as_of: " '2021-05' ", until: null }).values, { as_of: '2021-05' })
})
