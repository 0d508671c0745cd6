import t from 'tap'
import { questionEntry } from '../../../mcp/tools/question-entry.js'
import type { Question } from '../../../safes/safe.js'
import { accessOf, answerOf } from './domain.js'

t.test('a question is recorded by its words, or by the names and times that it consists of', async t => {
  const cases: [question: Partial<Question>, text: string | null][] = [
    [{ query: 'who', from: 'Ada' }, 'who'],
    [{ from: 'Ada', to: 'Acme', entities: ['Bob'] }, 'Ada → Acme'],
    [{ from: 'Ada' }, 'Ada'],
    [{ to: 'Acme' }, 'Acme'],
    [
      { entities: ['Ada', 'Bob'], since: '2026', until: '2027', asOf: '2021' },
      'Ada → Bob, 2026 – 2027, 2021',
    ],
    [{ until: '2027' }, '2027'],
    [{}, null],
  ]
  for (const [question, text] of cases) {
    const entry = questionEntry(accessOf('ann'), question as Question, answerOf('a'))
    const read = { kind: 'question', accountId: 'ann', safeId: 'a', detail: 'search', facts: 0, passages: 0 }
    t.match(entry, { ...read, question: text, connectionId: 'connection-of-ann' }, `${text}`)
  }
})
