import t from 'tap'
import { type Answer, answerText } from '../../../domain/safes/ask/answer.js'
import { indented } from '../../../domain/safes/ask/one-line.js'
import { query } from '../../../engine/graph/retrieval/query.js'
import { entity, lines, relation } from '../../jsonl.js'
import { indexOf } from './source.js'

const hostile = [
  ...['<script>alert("x")</script>', `" onmouseover='x' {{it}} <% x %>`, '\u202eevil\u2066name', '__proto__'],
  ...['constructor', 'toString', '#{7*7} $& $1 %s', '\\', "'; drop table entities; --", '../../etc/passwd'],
  ...['a\u0301\u0301\u0301zalgo', '\u{1f469}\u200d\u{1f467}', 'line\u2028separator'],
]

t.test('S3 hostile names and texts come out of parse, index and text form as they went in', async t => {
  const statements = hostile.flatMap((text, i) => [
    entity(text, text, `${text} observed ${i}`),
    relation(text, `rel ${text}`, hostile[(i + 1) % hostile.length] ?? ''),
  ])
  const { rows, index } = await indexOf(lines(...statements))
  for (const [i, text] of hostile.entries()) {
    const ranking = query(index, { query: text, limit: 50, offset: 0 })
    const fact = `${text} | rel ${text} | ${hostile[(i + 1) % hostile.length]}`
    // A name of signs only has no words to link; its neighbours still lead to it.
    const facts = ranking.facts.map(({ ref }) => rows.fact(ref))
    if (/\p{L}/u.test(text)) t.ok(facts.includes(fact), `fact ${i}`)
    const passage = rows.passage({ importId: 1, id: i + 1 })
    t.equal(passage.text, `${text} observed ${i}`)
    const answer: Answer = {
      ...{
        safe: { id: 's', name: text },
        mode: 'search',
        verdict: 'answered',
        confidence: 1,
        linked: [],
        entities: [text],
        total: 2,
      },
      facts: [{ id: '1', subject: text, predicate: text, object: text, sources: [text], score: 1 }],
      passages: [{ id: '2', title: text, text: passage.text, source: text, score: 1 }],
      ...{ truncated: false, next_cursor: null, hints: [] },
    }
    const said = answerText(answer)
    t.ok(said.endsWith(`: ${indented(passage.text)}`))
    const ours = said.split('\n').filter(line => !line.startsWith('  '))
    t.equal(ours.length, 4, 'Safe, fact, blank, passage')
    t.notMatch(said, /[\u202a-\u202e\u2066-\u2069\u2028]/, 'nothing turns a line around or ends it early')
  }
})
