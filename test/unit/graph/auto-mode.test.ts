import t from 'tap'
import { stringAt } from '../../../engine/graph/collections/strings.js'
import type { GraphQuestion } from '../../../engine/graph/modes/auto-mode.js'
import { evaluate } from '../../../engine/graph/modes/evaluate.js'
import { link } from '../../../engine/graph/retrieval/link.js'
import { entity, lines, relation } from '../../jsonl.js'
import { indexOf } from './source.js'

const crew = lines(
  entity('Jonas Lindqvist', 'person', 'Trained as a clockmaker.'),
  entity('Marit Solberg', 'person', 'Chairs the cooperative.'),
  entity('North Skerry Light', 'lighthouse', 'Built of granite.'),
  entity('Moreau Glassworks', 'supplier', 'Has a furnace.'),
  entity('Bread and Butter', 'café', 'Opens at seven.'),
  relation('Jonas Lindqvist', 'repairs', 'North Skerry Light'),
  relation('Marit Solberg', 'keeps', 'North Skerry Light'),
)
const { index } = await indexOf(crew)
const both = ['jonas lindqvist', 'marit solberg']

t.test('a bare question finds its mode by what its words are (GRAPH §4)', async t => {
  const cases: [query: string, mode: string, entities: string[]][] = [
    ['Who is Jonas Lindqvist?', 'entity', ['jonas lindqvist']],
    ["what's the north skerry light", 'entity', ['north skerry light']],
    ['Tell me everything about Marit Solberg.', 'entity', ['marit solberg']],
    ['What do you know about Moreau Glassworks?', 'entity', ['moreau glassworks']],
    ['Bread and Butter', 'entity', ['bread and butter']],
    ['Jonas Lindqvist and Marit Solberg', 'entity', both],
    ['Compare Jonas Lindqvist with Marit Solberg', 'entity', both],
    ['difference between Jonas Lindqvist and Marit Solberg', 'entity', both],
    ['how is Jonas Lindqvist related to Marit Solberg?', 'path', both],
    ['How are Jonas Lindqvist and Marit Solberg connected', 'path', both],
    ['from Jonas Lindqvist to Marit Solberg', 'path', both],
    ['  how  is\nJonas  Lindqvist\trelated to Marit Solberg ?!', 'path', both],
    [`between${' '.repeat(1_900)}Jonas Lindqvist and Marit Solberg`, 'path', ['jonas lindqvist']],
    [`between Jonas Lindqvist and ${'x '.repeat(300)}`, 'search', ['jonas lindqvist']],
    ['lighthouses', 'overview', []],
    ['Which people are there?', 'overview', []],
    ['list all suppliers', 'overview', []],
    ...[
      ...[
        'What is in this Safe?',
        'What is this about?',
        "What's all this?",
        "what's in here",
        'overview',
        'Overview of the knowledge graph',
        'summary',
      ],
      ...['Give me a brief summary of everything in this Safe', 'list everything', 'What do you know?'],
      ...['Please show me all entities', 'Can you show me everything?', 'what can I ask here?', 'all facts'],
      ...['Which topics are covered?', 'What kinds of information are stored in this Safe?'],
      ...['What is this Safe about?', 'describe this safe', 'Was ist in diesem Safe?', 'Übersicht'],
      ...['¿Qué hay en este Safe?', 'résumé', 'cosa contiene?', 'visão geral', 'что здесь?'],
    ].map((query): [string, string, string[]] => [query, 'overview', []]),
    ['which people are in it?', 'overview', []],
    ['Who is in this Safe?', 'overview', []],
    ['How many suppliers are there in this Safe?', 'overview', []],
    ['list all lighthouses in this safe', 'overview', []],
    ['What is in the harbour?', 'search', []],
    ['summary of the meeting', 'search', []],
    ['overview of the furnace', 'search', []],
    ['what does Marit Solberg know', 'search', ['marit solberg']],
    ['Could you please tell me: who is Jonas Lindqvist?', 'entity', ['jonas lindqvist']],
    ["Hi, I'd like to know about Marit Solberg, thanks!", 'entity', ['marit solberg']],
    ['Please list all suppliers', 'overview', []],
    ['Who is Nobody Known?', 'search', []],
    ['Who repairs the North Skerry Light?', 'search', ['north skerry light']],
    ['Jonas Lindqvist and nobody', 'search', ['jonas lindqvist']],
  ]
  for (const [query, mode, entities] of cases) {
    const ranking = evaluate(index, { query, limit: 10, offset: 0 })
    t.equal(ranking.mode, mode, query)
    const linked = ranking.linked.map(({ entity }) => entity)
    for (const entity of entities) t.ok(linked.includes(entity), query, { linked })
  }
})

t.test('a question for a type lists its entities, for an unknown one the types', async t => {
  const summary = (question: Partial<GraphQuestion>) =>
    evaluate(index, { limit: 10, offset: 0, ...question }).summary
  const people = summary({ query: 'Which people are there?' })
  t.match(people, {
    only: { types: ['person'], entities: 2 },
    types: { length: 0 },
    predicates: { length: 0 },
    samples: { length: 0 },
  })
  t.match(people, { hubs: [{ degree: 1 }, { degree: 1 }] })
  t.match(summary({ types: ['robot'] }), {
    only: { types: ['robot'], entities: 0 },
    hubs: [],
    types: [{ type: 'person', count: 2 }],
  })
  t.match(summary({}), { only: null })
})

t.test('names with typos are found in runs of words, written like names or not (GRAPH §3)', async t => {
  const links = (question: string) =>
    link(index, question).links.map(({ text, entity }) => `${text} = ${stringAt(index.entities, entity)}`)
  for (const [question, expected] of [
    ['Who is Jonas Lindkvist?', 'Jonas Lindkvist = jonas lindqvist'],
    ['Does Marrit Solbergg chair it?', 'Marrit Solbergg = marit solberg'],
    ['when was north skery light built', 'north skery light = north skerry light'],
    ['the furnace of Moreau Glasworks in winter', 'Moreau Glasworks = moreau glassworks'],
  ] as const) {
    t.ok(links(question).includes(expected), question, { links: links(question) })
  }
  t.strictSame(links('who paints xylophones'), [])
})
