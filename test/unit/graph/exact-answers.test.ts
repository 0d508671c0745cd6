import { readFileSync } from 'node:fs'
import t from 'tap'
import { type BrowseQuery, browse } from '../../../engine/graph/browse/browse.js'
import { duplicates } from '../../../engine/graph/browse/duplicates.js'
import type { GraphQuestion } from '../../../engine/graph/modes/auto-mode.js'
import { link } from '../../../engine/graph/retrieval/link.js'
import { periodOf } from '../../../engine/graph/text/date.js'
import { exactly } from '../../exactly.js'
import { askerOf } from './source.js'

const file = (name: string): [string, Buffer] => [
  'jsonl',
  readFileSync(new URL(`../../fixtures/exact/${name}.jsonl`, import.meta.url)),
]
const { index, ask, search } = await askerOf(file('island'), file('log'))

const shown = (value: unknown) =>
  JSON.stringify(value, (_, part) => {
    if (part instanceof Map) return [...part]
    if (part instanceof Set) return [...part]
    return typeof part === 'number' && !Number.isInteger(part) ? Number(part.toPrecision(4)) : part
  })

/** An answer with every score, as lines. */
function lines({ ranking, said, texts }: ReturnType<typeof ask>): string[] {
  const { facts, passages, counts: _, ...rest } = ranking
  const stated = Object.entries(rest).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  )
  return [
    `  ${shown(Object.fromEntries(stated))}`,
    ...facts.map(
      ({ score, sources, period }, at) => `  ${shown(score)} ${said[at]} ${sources.length} ${period}`,
    ),
    ...passages.map(({ score }, at) => `  ${shown(score)} ${texts[at]}`),
  ]
}

const QUESTIONS = `
Who leads the Lens Restoration?
who repairs the great lens
What does Ada Holm lead?
Where does Ada Holm live?
Which boat does Cy Lund paint?
Which boats are there?
Who is Ada Holm?
the lamp doctor
Tell me about Nordøya
How is Ada Holm connected with the Petrel?
between Bo Ek and North Light Company
Ada Holm and Bo Ek
Compare Petrel with Gannet
What is on the list?
Where is Paris?
paris
The Who
who played at the harbour
What does IT mend?
what does it mend
Who is Ada Hollm?
Petrle
Xyzzy
What about Xyzzy and the Petrel engine?
varnish for the Gannet
When was the lighthouse built?
Which lens?
did the varnish dry
Where does the painter of the Petrel live?
Who owns the boat that Bo Ek sails?
Nora
When was Nora founded?
Zora Quill
What is in this Safe?
people
Warehouse
note 3
rope, oil and bread
a friend of Ada Holm
Could you please tell me who keeps the log?
`
  .trim()
  .split('\n')

const NORTH = 'North Light Company'
const at = (date: string) => ({ asOf: periodOf(date) })
const between = (since: string, until: string) => ({ since: periodOf(since).from, until: periodOf(until).to })
const EXACT: Partial<GraphQuestion>[] = [
  { from: 'Ada Holm', to: 'Gannet' },
  { from: 'Ada Holm', to: 'Gannet', depth: 2 },
  { from: 'Bo Ek', to: 'North Island' },
  { from: 'Paris', to: 'Texas' },
  { from: 'Ada Holm', to: 'Ada Holm' },
  { from: 'Ada Holm', to: 'Nowhere' },
  { entities: ['Ada Holm', 'Petrel', 'Nobody'] },
  { entities: [NORTH], limit: 3 },
  { entities: [NORTH], limit: 3, offset: 3 },
  { entities: ['Warehouse'], limit: 5 },
  { entities: ['Petrel'], types: ['person'] },
  { entities: [NORTH], steps: [{ relation: 'owns', direction: 'out' }] },
  {
    entities: ['Petrel'],
    steps: [
      { relation: 'owns', direction: 'in' },
      { relation: 'pays for', direction: 'any' },
    ],
  },
  {
    entities: ['Bo Ek'],
    steps: [
      { relation: 'knows', direction: 'any' },
      { relation: 'eats', direction: 'out' },
    ],
  },
  { query: 'Who paints?', types: ['boat'] },
  { query: 'when is it mended', otherWords: ['varnish', 'painted every spring'], mode: 'search' },
  { query: 'Ada Holm', ...at('2017') },
  { query: 'Where does Ada Holm live?', ...at('2014') },
  { query: 'What of the Gannet?', ...between('2026-05-01', '2026-05-09') },
  { query: 'Ada Holm', ...between('2018', '2019') },
  between('2026-05-02', '2026-05-09'),
  { query: 'the harbour', ...between('2030', '2031') },
  { query: 'lens', mode: 'search', limit: 2, offset: 1 },
  { mode: 'overview', types: ['boat'] },
  { mode: 'path', query: 'Ada Holm Gannet' },
  { mode: 'entity', query: 'who is Bo Ek' },
  { mode: 'walk', query: 'Bo Ek', steps: [{ relation: 'sails', direction: 'out' }] },
]

t.test('a small Safe is answered exactly so, with every score (GRAPH §3, §4)', async t => {
  const answers = [
    ...QUESTIONS.flatMap(query => [query, ...lines(ask({ query, limit: 6 }))]),
    ...EXACT.flatMap(question => [shown(question) ?? '', ...lines(ask({ limit: 8, ...question }))]),
  ]
  exactly(t, 'answers.txt', answers.join('\n'))
})

t.test('the same questions as searches find exactly this (GRAPH §3)', async t => {
  const found = QUESTIONS.flatMap(query => [
    query,
    ...link(index, query).links.map(
      each => `  ${shown({ ...each, mass: Number(each.mass.toPrecision(4)) })}`,
    ),
    ...lines(search(query, { limit: 5 }) as ReturnType<typeof ask>),
  ])
  exactly(t, 'searches.txt', found.join('\n'))
})

const QUERIES: BrowseQuery[] = [
  ...[
    'Ada Holm',
    'paris',
    'Paris (Texas)',
    'Petrle',
    'Nora',
    'Warehouse',
    'nobody at all',
    'Harbour Log',
  ].map((name): BrowseQuery => ({ kind: 'thing', name })),
  { kind: 'contents', limit: 4 },
  ...['north light company', 'petrel'].map((key): BrowseQuery => ({ kind: 'around', key })),
  { kind: 'things', sort: 'name', limit: 5 },
  { kind: 'things', sort: 'name', after: 'bo ek', limit: 5 },
  { kind: 'things', sort: 'relations', limit: 5 },
  { kind: 'things', sort: 'relations', type: 'boat', limit: 5 },
  { kind: 'things', sort: 'name', search: 'lamp', limit: 5 },
  { kind: 'things', sort: 'relations', search: 'n', limit: 4 },
  ...['nor', 'holm', 'North Light', 'lis', ''].map(
    (text): BrowseQuery => ({ kind: 'names', text, limit: 3 }),
  ),
  { kind: 'relations', predicate: 'owns', limit: 2 },
  { kind: 'relations', predicate: 'owns', limit: 2, after: ['north light company', 'gannet'] },
  { kind: 'relations', predicate: 'lives in', key: 'north island', direction: 'in', limit: 5 },
  { kind: 'passages', limit: 3 },
  { kind: 'passages', limit: 3, after: { importId: 1, id: 3 } },
  { kind: 'passages', key: 'petrel', limit: 5 },
  { kind: 'passages', key: 'gannet', mentioning: true, limit: 2 },
  { kind: 'path', from: 'ada holm', to: 'Gannet' },
  { kind: 'path', from: 'ada holm', to: 'Ganet' },
]

t.test('what is browsed is exactly this', async t => {
  const found = QUERIES.flatMap(asked => [shown(asked) ?? '', `  ${shown(browse(index, asked))}`])
  const { found: pairs } = await duplicates(index, { apart: [], limit: 20 })
  exactly(t, 'browse.txt', [...found, 'duplicates', ...pairs.map(pair => `  ${shown(pair)}`)].join('\n'))
})
