import t from 'tap'
import { answersQuestion } from '../../../domain/safes/ask/answers-question.js'

const isAnswer = (coverage: number | null, unknown = 0, answer = { total: 1 }) =>
  answersQuestion({ answer, coverage, unknown } as never)

t.test('a best passage that says too little of the question is no answer (ADR 49)', async t => {
  t.ok(isAnswer(0.2))
  t.notOk(isAnswer(0.19))
  t.notOk(isAnswer(0.29, 0.5), 'the less, the more of the question the Safe has no words for')
  t.ok(isAnswer(0.31, 0.5))
  t.ok(isAnswer(null), 'a fact')
  t.ok(isAnswer(0.1, 0.5, { total: 1, summary: {} } as never), 'a path, or a thing that a name leads to')
  t.notOk(isAnswer(null, 0, { total: 0 }))
  t.ok(isAnswer(null, 0, { total: 0, summary: {} } as never))
})
