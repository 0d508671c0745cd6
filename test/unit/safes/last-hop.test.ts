import t from 'tap'
import type { AnswerFact } from '../../../domain/safes/ask/answer.js'
import { lastHop } from '../../../domain/safes/ask/lead/last-hop.js'
import { askedIn } from '../../asked.js'

const fact = (text: string): AnswerFact => {
  const [subject = '', predicate = '', object = ''] = text.split(' | ')
  return { id: text, subject, predicate, object, sources: [], score: 1 }
}
const FACTS = [
  'Anna | leads | Atlas',
  'Atlas | located in | Berlin',
  'Ben | works on | Atlas',
  'Ben | lives in | Porto',
  'Anna | lives in | Lisbon',
  'Lisbon | capital of | Portugal',
  'Union | owns | Atlas',
  'Marit | chairs | Union',
].map(fact)

const CASES: [question: string, linked: string[], last: string | null][] = [
  ['Where does the leader of Atlas live?', ['Atlas'], 'Anna lives in Lisbon'],
  ['Where does who works on Atlas live?', ['Atlas'], 'Ben lives in Porto'],
  [
    'Of what is the city capital in which the leader of Atlas lives?',
    ['Atlas'],
    'Lisbon capital of Portugal',
  ],
  ['Who chairs the union that owns Atlas?', ['Union', 'Atlas'], 'Marit chairs Union'],
  ['Who leads Atlas?', ['Atlas'], null],
  ['Where does Anna live?', ['Anna'], null],
  ['Who leads and who works on Atlas?', ['Atlas'], null],
]

t.test('the fact that answers the last part of a question', async t => {
  for (const [question, linked, last] of CASES) {
    const found = lastHop(FACTS, askedIn(question), linked)
    const text = found && [found.subject, found.predicate, found.object].join(' ')
    t.equal(text, last, question)
  }
})
