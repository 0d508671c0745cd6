import { LINKS_TO } from '../../../../engine/graph/index.js'
import type { Answer, AnswerFact, AnswerPassage, Lead } from '../answer.js'
import { bestCells } from './cells.js'
import { lastHop } from './last-hop.js'
import { bestSentence } from './sentence.js'

/**
 * The last fact of a chain that the question goes along; else the best sentence of the best passage, or what is asked of it
 * if it is a row of a table, or the fact that ranks above it. Null if there is none.
 */
export function leadOf(
  { facts, passages, linked }: Pick<Answer, 'facts' | 'passages' | 'linked'>,
  stems: ReadonlySet<string>,
): Lead | null {
  const telling = facts.filter(({ predicate }) => predicate !== LINKS_TO)
  const last = lastHop(telling, { stems, linked: linked.map(({ entity }) => entity) })
  if (last) return ofFact(last)
  const [fact] = telling
  const [best] = passages
  const said = best && saidIn(best, stems)
  const isFactBetter = (facts[0]?.score ?? 0) > (best?.score ?? 0) && !said?.isNamed
  if (fact && (isFactBetter || !said)) return ofFact(fact)
  return best && said ? { text: said.text, id: best.id } : null
}

function saidIn(
  { title, text }: AnswerPassage,
  stems: ReadonlySet<string>,
): { text: string; isNamed: boolean } | null {
  const [name = title] = title.split(' > ')
  const cells = bestCells(name, text, stems)
  if (cells) return cells
  const sentence = bestSentence(text, stems)
  return sentence === null ? null : { text: sentence, isNamed: false }
}

const ofFact = ({ id, subject, predicate, object }: AnswerFact): Lead => ({
  text: `${subject} ${predicate} ${object}`,
  id,
})
