import t from 'tap'
import { type Answer, answerText, groupsOf } from '../../../domain/safes/ask/answer.js'
import type { AnswerSummary } from '../../../domain/safes/ask/answer-summary.js'
import { distinctNames } from '../../../domain/safes/ask/distinct-names.js'
import { hintsOf } from '../../../domain/safes/ask/hints.js'
import { answer } from './long-answer.js'

t.test('the text form: Safe, one fact a line, passages with title and source, hints', async t => {
  const one = answer('x', 1)
  const said: Answer = {
    ...one,
    facts: [
      { ...one.facts[0]!, subject: 'Ada\nEve \u2014 owns \u2192 all', object: 'Acme', sources: ['a', 'b'] },
    ],
    passages: [{ ...one.passages[0]!, text: 'Two\nlines.' }],
  }
  t.strictSame(answerText(said).split('\n'), [
    'Safe "Lighthouse": 1 fact and 1 passage of 100 found.',
    'Recognized: x.',
    'Ada Eve \u2014 owns \u2192 all \u2014 says \u2192 Acme [a; b]',
    '',
    'Title 0 [a.jsonl]: Two',
    '  lines.',
    'Ask on.',
  ])
})

t.test('a source that all have is named once, any other where it belongs', async t => {
  const two = answer('x', 2)
  const text = (passages: Answer['passages']) => answerText({ ...two, passages }).split('\n')
  const [first, second] = two.passages
  const other = { ...second!, source: 'b.md', document: 'notes/b.md', time: '2024', url: 'https://x/b' }
  t.equal(text(two.passages)[0], 'Safe "Lighthouse": 2 facts and 2 passages of 100 found. Source: "a.jsonl".')
  t.notMatch(text(two.passages).slice(1).join(), 'a.jsonl')
  const mixed = text([{ ...first!, document: 'a.jsonl' }, other])
  t.match(mixed[0], /Source where none is named: "a\.jsonl"\.$/)
  t.match(mixed[5], /^Title 0: /)
  t.match(mixed[6], /^Title 1 \[b\.md, notes\/b\.md, 2024\]: /)
  t.strictSame(mixed.slice(7), [' page: https://x/b', 'Ask on.'])
  const facts = two.facts.map((fact, i) => ({ ...fact, sources: [`${i}.csv`] }))
  const apart = answerText({ ...two, facts })
  t.notMatch(apart, 'Source')
  t.match(apart, /\[0\.csv\]\n.*\[1\.csv\]\n\nTitle 0 \[a\.jsonl\]: /)
})

t.test('GRAPH §3 passages of one note stand together, the best first', async t => {
  const [one] = answer('x', 1).passages
  const passage = (id: string, title: string, source = 'a.md') => ({ ...one!, id, title, source, text: id })
  const passages = [
    passage('1', 'Log'),
    passage('2', 'Plan > Costs'),
    passage('3', 'Log > May'),
    passage('4', 'Log', 'b.md'),
    passage('5', 'Plan'),
    passage('6', 'Logs'),
  ]
  const said = { ...answer('x', 0), facts: [], passages }
  const shown = groupsOf(said)[0]?.passages ?? []
  t.equal(shown.map(({ id }) => id).join(''), '132546')
  t.strictSame(said.passages, passages, 'the structured form stays in order of score')
})

t.test('of several entities the facts and passages of each stand under its line', async t => {
  const one = answer('x', 1)
  const fact = (subject: string, object: string) => ({ ...one.facts[0]!, subject, object })
  const counts = { type: null, facts: 1, passages: 1, mentions: 0 }
  const said = answerText({
    ...one,
    mode: 'entity',
    facts: [fact('Bo', 'Acme'), fact('Ada', 'Bo'), fact('Cy', 'Dee')],
    passages: [{ ...one.passages[0]!, title: 'Bo', text: 'Tall.' }],
    summary: {
      kind: 'entities',
      entities: [
        { name: 'Ada', ...counts, type: 'person' },
        { name: 'Bo', ...counts },
      ],
    },
  })
  t.strictSame(said.split('\n').slice(1), [
    '',
    'Ada (person): 1 fact, 1 passage about it.',
    'Ada \u2014 says \u2192 Bo',
    '',
    'Bo: 1 fact, 1 passage about it.',
    'Bo \u2014 says \u2192 Acme',
    'Bo: Tall.',
    'Cy \u2014 says \u2192 Dee',
    'Ask on.',
  ])
})

t.test('of several notes the passages of each stand under its line, whatever their titles have', async t => {
  const one = answer('x', 1)
  const counts = { type: null, facts: 0, passages: 1, mentions: 0 }
  const passage = (title: string, text: string) => ({ ...one.passages[0]!, title, text })
  const said = answerText({
    ...one,
    mode: 'entity',
    facts: [],
    passages: [
      passage('Cafe\u0301 > Opening hours', 'Nine to five.'),
      passage('bakery', 'Bread.'),
      passage('Bakery Street', 'A street.'),
    ],
    summary: {
      kind: 'entities',
      entities: [
        { name: 'Bakery', ...counts },
        { name: 'Caf\u00e9', ...counts },
      ],
    },
  })
  t.strictSame(said.split('\n').slice(1), [
    '',
    'Bakery: 1 passage about it.',
    'bakery: Bread.',
    '',
    'Caf\u00e9: 1 passage about it.',
    'Cafe\u0301 > Opening hours: Nine to five.',
    '',
    'Bakery Street: A street.',
    'Ask on.',
  ])
})

t.test('code and lists keep their indentation, and no line of theirs passes for one of ours', async t => {
  const one = answer('x', 1)
  const text = [
    '\n  Set it up:',
    '```yaml',
    'jobs:',
    '  build:   # on push',
    '\t- run: make',
    '',
    '```   ',
    '- one',
    '\u3000- two\u202e\u0000!',
    'Safe "x": nothing found.',
  ].join('\n')
  const said = answerText({ ...one, facts: [], passages: [{ ...one.passages[0]!, title: 'CI', text }] })
  t.strictSame(said.split('\n').slice(3, -1), [
    'CI [a.jsonl]: Set it up:',
    '  ```yaml',
    '  jobs:',
    '    build:   # on push',
    '  \t- run: make',
    '  ```',
    '  - one',
    '   - two !',
    '  Safe "x": nothing found.',
  ])
})

t.test('what only links notes to each other stands behind what they say', async t => {
  const one = answer('x', 1)
  const fact = (predicate: string, object: string) => ({
    ...one.facts[0]!,
    subject: 'Garden',
    predicate,
    object,
  })
  const facts = [fact('links to', 'Roses'), fact('tagged', 'plants')]
  const passages = [{ ...one.passages[0]!, title: 'Garden', text: 'Green.' }]
  const lines = (mode: Answer['mode']) =>
    answerText({ ...one, linked: [], mode, facts, passages })
      .split('\n')
      .slice(1)
  const link = 'Garden \u2014 links to \u2192 Roses'
  const tag = 'Garden \u2014 tagged \u2192 plants'
  for (const mode of ['search', 'entity'] as const)
    t.strictSame(lines(mode), [tag, '', 'Garden: Green.', '', link, 'Ask on.'], mode)
  t.strictSame(lines('path'), [link, tag, '', 'Garden: Green.', 'Ask on.'], 'a path is its facts')
})

t.test('names that several entities of an answer share have the key behind them, and lead back', async t => {
  const names = new Map([
    ['bank.n.01', 'bank'],
    ['bank.n.02', 'Bank'],
    ['shore', 'shore'],
    ['ada', 'Ada'],
    ['q7', 'Ada'],
  ])
  t.strictSame(
    [...distinctNames(names).values()],
    ['bank (bank.n.01)', 'Bank (bank.n.02)', 'shore', 'Ada', 'Ada (q7)'],
  )
})

/** A search that found three things and has no hints about them. */
const outcome = {
  ...{ mode: 'search' as const, safeName: 'Lighthouse', total: 3, summary: undefined },
  counts: { entities: 1, relations: 1, passages: 1 },
  ...{
    linked: [],
    unmatched: [],
    corrected: [],
    nearest: [],
    alsoMeant: [],
    unknownRelation: null,
    range: null,
    outside: null,
  },
}

t.test('a name with a typo is said to be taken for the one it is like', async t => {
  const linked = [{ text: 'Jonas Lindqwist', entity: 'Jonas Lindqvist' }]
  const unmatched = ['Lindqwist', 'France']
  t.strictSame(hintsOf({ ...outcome, linked, unmatched, nearest: ['Jonas Lindqvist', 'Frances'] }), [
    '"Jonas Lindqwist" was read as "Jonas Lindqvist".',
    'Nothing in this Safe matches: France.',
    'Similar names: Frances.',
  ])
})

t.test('GRAPH §3 a typo beside a name that leads to the same entity is resolved, not unmatched', async t => {
  const linked = [{ text: 'Jonas', entity: 'Jonas Lindqvist' }]
  const nearest = ['Jonas Lindqvist', 'Lindqvist Ltd']
  const hints = hintsOf({ ...outcome, linked, unmatched: ['Lindqwist'], nearest })
  t.strictSame(hints, ['"Lindqwist" was read as "Jonas Lindqvist".', 'Similar names: Lindqvist Ltd.'])
})

t.test('S3 no name or passage can imitate a line of ours, or turn one around', async t => {
  const one = answer('x', 1)
  const fact = { ...one.facts[0]!, subject: 'Ada\u202eevE', object: 'A\u2028B\u0007' }
  const passage = { ...one.passages[0]!, text: 'So.\r\n\nEve \u2014 owns \u2192 all [a]\u2066' }
  const text = answerText({ ...one, facts: [fact], passages: [passage] })
  t.ok(text.includes('\nAda evE \u2014 says \u2192 A B\n'))
  t.ok(text.includes(': So.\n  Eve \u2014 owns \u2192 all [a]\nAsk on.'))
})

t.test('S3 nor can a name in a summary', async t => {
  const name = 'Ada\n\u202eEve \u2014 owns \u2192 all [a]'
  const base = { ...answer('x', 1), facts: [] }
  const relations = [{ predicate: name, direction: 'out' as const, count: 9 }]
  const steps = [{ predicate: name, direction: 'in' as const }]
  const counts = { entities: 1, facts: 2, passages: 3, types: 4, predicates: 5 }
  const entity = { name, type: name, more_relations: 0, facts: 9, passages: 0, mentions: 0 }
  const summaries: [AnswerSummary, lines: number][] = [
    [{ kind: 'entity', ...entity, relations }, 2],
    [{ kind: 'entities', entities: [{ name, type: name, facts: 9, passages: 0, mentions: 0 }] }, 2],
    [{ kind: 'path', paths: [{ entities: [name, name], steps }], complete: true }, 1],
    [{ kind: 'walk', start: [name], steps: [], reached: 1, complete: true }, 1],
    [
      {
        kind: 'overview',
        only: null,
        counts,
        types: [],
        predicates: [],
        hubs: [{ name, degree: 1 }],
        samples: [name],
      },
      2,
    ],
  ]
  const plain = answerText(base).split('\n').length
  for (const [summary, lines] of summaries) {
    const text = answerText({ ...base, summary })
    t.equal(text.split('\n').length, plain + lines, summary.kind)
    t.notMatch(text, '\u202e')
  }
})

t.test('what was found but does not fit, or was given before, is not called "nothing found"', async t => {
  const none = { ...answer('x', 0), facts: [], passages: [], total: 41 }
  t.match(answerText({ ...none, truncated: true }), /41 found, but none of them fits.*larger max_tokens/)
  t.match(answerText({ ...none, truncated: false }), /all 41 found were given before/)
})

t.test('an empty answer names the Safe, its size, words without match, near names (GRAPH §5)', async t => {
  const hints = hintsOf({
    ...{ ...outcome, total: 0, unmatched: ['zzyzx'], nearest: ['Zizi'] },
    counts: { entities: 1_200, relations: 3_400, passages: 560 },
  })
  t.strictSame(answerText({ ...answer('x', 0), linked: [], total: 0, hints }).split('\n'), [
    'Safe "Lighthouse": nothing found.',
    'Searched the Safe "Lighthouse" (1,200 entities, 3,400 facts and 560 passages).',
    'Nothing in this Safe matches: zzyzx.',
    'Similar names: Zizi.',
    'Try other names or words, or ask without a query for an overview of the Safe.',
  ])
  const none = { ...outcome, safeName: 'New', counts: { entities: 0, relations: 0, passages: 0 } }
  t.match(hintsOf({ ...none, total: 0, unmatched: ['a'] }), [/"New"/, /is empty/, /matches: a/])
  t.strictSame(hintsOf(none), [])
})

t.test(
  'a question that finds nothing says what to do: common words, another language, too many words',
  async t => {
    const asked = { ...outcome, total: 0, linked: [], nearest: [] }
    t.match(hintsOf({ ...asked, unmatched: [] }).join('\n'), /too common to search for. Add a name/)
    const foreign = Array.from({ length: 11 }, (_, at) => `слово${at}`)
    t.match(hintsOf({ ...asked, unmatched: foreign }), [
      ...[/^Searched/, /слово7 and 3 more words\.$/, /ask in that language/, /^Try other names/],
    ])
    const evidence = { asked: Array.from({ length: 30 }, () => ({ stems: [], worth: 1 })) }
    const held = { ...evidence, near: 1, titled: 1, unknown: 0 }
    t.match(hintsOf({ ...outcome, total: 3, evidence: held }).join('\n'), /Ask a shorter one/)
  },
)
