import fc from 'fast-check'
import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import t from 'tap'
import { answerText } from '../../../domain/safes/ask/answer.js'
import type { Question } from '../../../domain/safes/safe.js'
import { MODES } from '../../../engine/graph/retrieval/ranking.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { file, openSafes } from '../../integration/safes/open.js'

const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('Ada', 'harbour', 'North Light', 'bank', 'lamp', 'works for') },
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  fc.stringMatching(/^[A-Za-z0-9+/={}",:[\]]{20,60}$/),
  fc.constantFrom('\u706f\u5854\u5408\u4f5c\u793e', '\u{1f469}\u200d\u{1f467}', '\u043c\u0430\u044f\u043a'),
)
const text = fc.array(word, { minLength: 1, maxLength: 120 }).map(words => words.join(' '))
const record = fc.oneof(
  fc.record({
    type: fc.constant('entity'),
    name: word,
    entityType: word,
    observations: fc.array(text, { maxLength: 4 }),
  }),
  fc.record({ type: fc.constant('relation'), from: word, to: word, relationType: word }),
)
const names = fc.array(word, { minLength: 1, maxLength: 5 })
const question: fc.Arbitrary<Question> = fc.record(
  {
    query: fc.oneof(word, text),
    mode: fc.constantFrom('auto', ...MODES),
    entities: names,
    from: word,
    to: word,
    steps: fc.array(fc.record({ relation: word, direction: fc.constantFrom('out', 'in', 'any') }), {
      maxLength: 3,
    }),
    types: names,
    limit: fc.integer({ min: 1, max: 50 }),
  },
  { requiredKeys: ['limit'] },
)
const room = fc.integer({ min: 100, max: 3_000 })

t.test('no answer needs more tokens than max_tokens, whatever is asked of whatever graph', async t => {
  const { domain } = await openSafes(t)
  let answers = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 40 }),
      fc.array(fc.tuple(question, room), { minLength: 10, maxLength: 10 }),
      async (records, questions) => {
        const { id } = await domain.create('ann', 'Any')
        const lines = records.map(line => JSON.stringify(line)).join('\n')
        await domain.imports.add('ann', id, file('any.jsonl', lines, { skipBad: true }))
        for (const [asked, maxTokens] of questions) {
          const answer = await domain.questions.ask('ann', id, { ...asked, maxTokens }).catch(error => {
            if (error instanceof DomainError && error.status === 400) return null
            throw error
          })
          if (!answer) continue
          answers++
          for (const form of [JSON.stringify(answer), answerText(answer)]) {
            for (const encode of [o200k, cl100k]) {
              const tokens = encode(form).length
              if (tokens > maxTokens)
                throw new Error(`${tokens} of ${maxTokens} for ${JSON.stringify(asked)}: ${form}`)
            }
          }
        }
      },
    ),
    { numRuns: 40 },
  )
  t.ok(answers > 100, `${answers} answers were counted`)
})
