import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import t from 'tap'
import { type Answer, answerText, answerTokens, fitAnswer } from '../../graph/answer.js'
import { distinctNames } from '../../graph/distinct-names.js'
import { hintsOf } from '../../graph/hints.js'
import type { Summary } from '../../graph/summary.js'

const texts = {
  English:
    'The keeper of the North Lighthouse repaired the lantern in 1987, and wrote a report about it; nobody read it. ',
  Chinese:
    '\u706f\u5854\u5408\u4f5c\u793e\u6210\u7acb\u4e8e\u4e00\u4e5d\u516b\u4e03\u5e74\uff0c\u8d1f\u8d23\u5317\u5cb8\u4e09\u5ea7\u706f\u5854\u7684\u7ef4\u62a4\u9f98\u9750\u9f49\u3002',
  Japanese: '\u706f\u53f0\u5b88\u306f\u6bce\u6669\u30e9\u30f3\u30d7\u3092\u706f\u3057\u305f\u3002',
  Russian: '\u0421\u043c\u043e\u0442\u0440\u0438\u0442\u0435\u043b\u044c \u043c\u0430\u044f\u043a\u0430. ',
  emoji:
    '\u{1f680}\u{1f389}\u{1f469}\u200d\u{1f467}\u{1f3f3}\ufe0f\u200d\u{1f308}\u{1fae0}\u{1f9ff}\u{1d573} ',
  identifiers:
    'xQzKvB7pLmW9tRnY2aJhGfDsUiOe4C== 550e8400-e29b-41d4-a716-446655440000 XQZJWKV 3.14159265358979 ',
}

function answer(text: string, count = 20): Answer {
  const items = Array.from({ length: count }, (_, i) => i)
  return {
    safe: { id: 'safe1', name: 'Lighthouse' },
    mode: 'search',
    linked: [{ text: 'keeper', entity: text.slice(0, 20) }],
    facts: items.map(i => ({
      id: `1:${i}`,
      subject: text.slice(0, 40),
      predicate: 'says',
      object: `${text.slice(0, 60)} ${i}`,
      sources: ['a.jsonl'],
      score: 2 - i / 100,
    })),
    passages: items.map(i => ({
      id: `1:p${i}`,
      title: `Title ${i}`,
      text: text.repeat(40),
      source: 'a.jsonl',
      score: 1.995 - i / 100,
    })),
    entities: [text.slice(0, 20)],
    total: 100,
    truncated: false,
    next_cursor: null,
    hints: ['Ask on.'],
  }
}

t.test('an answer never needs more tokens than allowed, by the real tokenizers (GRAPH §5)', async t => {
  for (const [script, text] of Object.entries(texts)) {
    for (const maxTokens of [300, 1_000, 2_000, 20_000]) {
      const fitted = fitAnswer(answer(text), maxTokens)
      for (const form of [JSON.stringify(fitted), answerText(fitted)]) {
        for (const encode of [o200k, cl100k]) {
          const tokens = encode(form).length
          t.ok(tokens <= maxTokens, `${script}: ${tokens} of ${maxTokens}`)
        }
      }
      t.ok(fitted.facts.length + fitted.passages.length > 0, `${script}: something is left of ${maxTokens}`)
    }
  }
})

t.test('English is not estimated at more than twice its tokens', async t => {
  const text = texts.English.repeat(30)
  t.ok(answerTokens({ ...answer(text, 2) }) < 2 * o200k(JSON.stringify(answer(text, 2))).length)
})

t.test('an answer that fits stays as it is', async t => {
  const small = answer(texts.English.slice(0, 30), 1)
  t.equal(fitAnswer(small, 20_000), small)
})

t.test('what goes first is the length of passages, then what has the lowest score', async t => {
  const long = answer(texts.English)
  const shorter = fitAnswer(long, 15_000)
  t.equal(shorter.facts.length, 20)
  t.equal(shorter.passages.length, 20)
  t.match(shorter.passages[0]?.text, /\u2026$/)
  t.ok(shorter.truncated)
  const fewer = fitAnswer(long, 1_500)
  const kept = [...fewer.facts, ...fewer.passages].map(({ score }) => score).sort((a, b) => b - a)
  const all = [...long.facts, ...long.passages].map(({ score }) => score).sort((a, b) => b - a)
  t.strictSame(
    kept,
    all.slice(0, kept.length),
    'the best in one piece, so that a next page can begin after them',
  )
  t.equal(fewer.next_cursor, null)
})

t.test(
  'GRAPH §3.6 before anything else the neighbours of passages go, which cuts nothing that was found',
  async t => {
    const plain = answer(texts.English, 2)
    const context = {
      before: `${'\u{1f680}'.repeat(300)} and then`,
      after: `so ${'\u{1f680}'.repeat(300)}`,
    }
    const rich = { ...plain, passages: plain.passages.map(passage => ({ ...passage, ...context })) }
    const needed = answerTokens(plain)
    t.equal(fitAnswer(rich, answerTokens(rich)), rich)
    const less = fitAnswer(rich, answerTokens(rich) - 1)
    t.notOk(less.truncated)
    for (const { before = '', after = '' } of less.passages) {
      t.match(before, /^\u2026(?:\u{1f680})+ and then$/u, 'the end of what is before, no half of a pair')
      t.match(after, /^so (?:\u{1f680})+\u2026$/u)
      t.ok(before.length <= 81 && after.length <= 81)
    }
    t.strictSame(fitAnswer(rich, needed), plain, 'none, where the passages alone fit')
    t.notOk(JSON.stringify(fitAnswer(rich, needed - 1)).includes('before'))
  },
)

t.test('with hardly any room the Safe is still named', async t => {
  const tiny = fitAnswer(answer(texts.English), 1)
  t.match(tiny, { safe: { name: 'Lighthouse' }, facts: [], passages: [], truncated: true })
  t.match(fitAnswer(answer(texts.Chinese), 250), { truncated: true })
})

t.test('the text form: Safe, one fact a line, passages with title and source, hints', async t => {
  const one = answer('x', 1)
  const said: Answer = {
    ...one,
    facts: [
      { ...one.facts[0]!, subject: 'Ada\nEve \u2014 owns \u2192 all', object: 'Acme', sources: ['a', 'b'] },
    ],
    passages: [{ ...one.passages[0]!, text: 'Two\nlines.' }],
  }
  t.equal(
    answerText(said),
    [
      'Safe "Lighthouse": 1 fact and 1 passage of 100 found.',
      'Ada Eve \u2014 owns \u2192 all \u2014 says \u2192 Acme [a; b]',
      '',
      'Title 0 [a.jsonl]: Two\n  lines.',
      'Ask on.',
    ].join('\n'),
  )
})

t.test('a source that all have is named once, any other where it belongs', async t => {
  const two = answer('x', 2)
  const text = (passages: Answer['passages']) => answerText({ ...two, passages }).split('\n')
  const [first, second] = two.passages
  const other = { ...second!, source: 'b.md' }
  t.equal(text(two.passages)[0], 'Safe "Lighthouse": 2 facts and 2 passages of 100 found. Source: "a.jsonl".')
  t.notMatch(text(two.passages).slice(1).join(), 'a.jsonl')
  const mixed = text([first!, other])
  t.match(mixed[0], /Source where none is named: "a\.jsonl"\.$/)
  t.match(mixed[4], /^Title 0: /)
  t.match(mixed[5], /^Title 1 \[b\.md\]: /)
  const facts = two.facts.map((fact, i) => ({ ...fact, sources: [`${i}.csv`] }))
  const apart = answerText({ ...two, facts })
  t.notMatch(apart, 'Source')
  t.match(apart, /\[0\.csv\]\n.*\[1\.csv\]\n\nTitle 0 \[a\.jsonl\]: /)
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

t.test('a name with a typo is said to be taken for the one it is like', async t => {
  const hints = hintsOf({
    mode: 'search',
    safeName: 'Lighthouse',
    counts: { entities: 1, relations: 1, passages: 1 },
    total: 3,
    linked: [{ text: 'Jonas Lindqwist', entity: 'Jonas Lindqvist' }],
    unmatched: ['Lindqwist', 'France'],
    nearest: ['Jonas Lindqvist', 'Frances'],
    alsoMeant: [],
    unknownRelation: null,
    range: null,
    summary: undefined,
  })
  t.strictSame(hints, [
    'Nothing in this Safe matches "Jonas Lindqwist"; taken for Jonas Lindqvist.',
    'Nothing in this Safe matches: France.',
    'Names that come near: Frances.',
  ])
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
  const summaries: [Summary, lines: number][] = [
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

t.test(
  'an empty answer names the Safe, its size, the words without match, the nearest names (GRAPH §5)',
  async t => {
    const open = {
      mode: 'search' as const,
      linked: [],
      alsoMeant: [],
      unknownRelation: null,
      range: null,
      summary: undefined,
    }
    const hints = hintsOf({
      ...open,
      safeName: 'Lighthouse',
      counts: { entities: 1_200, relations: 3_400, passages: 560 },
      total: 0,
      unmatched: ['zzyzx'],
      nearest: ['Zizi'],
    })
    const empty = { ...answer('x', 0), total: 0, hints }
    t.equal(
      answerText(empty),
      [
        'Safe "Lighthouse": nothing found.',
        'Searched the Safe "Lighthouse" (1,200 entities, 3,400 facts and 560 passages).',
        'Nothing in this Safe matches: zzyzx.',
        'Names that come near: Zizi.',
        'Ask with other names or words that occur in the Safe; without any words, for an overview of it.',
      ].join('\n'),
    )
    const none = { ...open, safeName: 'New', counts: { entities: 0, relations: 0, passages: 0 }, total: 0 }
    t.match(hintsOf({ ...none, unmatched: ['a'], nearest: [] }), [/"New"/, /is empty/, /matches: a/])
    t.strictSame(hintsOf({ ...none, total: 3, unmatched: [], nearest: [] }), [])
  },
)
