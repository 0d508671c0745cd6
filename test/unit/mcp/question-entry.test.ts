import t from 'tap'
import type { Answer } from '../../../domain/safes/ask/answer.js'
import type { Question } from '../../../domain/safes/safe.js'
import { questionEntry } from '../../../mcp/tools/question-entry.js'
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

t.test('what was read is recorded: facts, and passages by their titles and places', async t => {
  const facts = [{ subject: 'Ada', predicate: 'knows', object: 'Bob' }]
  const passages = [
    { id: 'p1.2', title: 'Bob' },
    { id: 'p3.12', title: 'Ada', document: 'a/Ada.md' },
  ]
  const answer = { ...answerOf('a'), facts, passages } as unknown as Answer
  t.match(questionEntry(accessOf('ann'), { query: 'who' }, answer), {
    ...{ facts: 1, passages: 2 },
    readJson: '[["Ada","knows","Bob"],["Bob"],["Ada","a/Ada.md",3,12,12]]',
    documents: [{ path: 'a/Ada.md', parts: '3.12-12' }],
  })
})
