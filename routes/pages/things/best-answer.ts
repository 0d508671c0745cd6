import type { Answer } from '../../../domain/safes/ask/answer.js'
import { escapeHtml } from '../../../platform/common/escape-html.js'
import type { AnswerPassageView, FactView, Link } from './answer-items.js'
import { bestCells } from './best-cells.js'
import { bestSentence } from './best-sentence.js'
import { lastHop } from './last-hop.js'
import { markWords } from './marked-words.js'

/** What an answer says first: a sentence or a fact, and where it stands. */
export interface BestView {
  /** The sentence as HTML, with the words of the question marked. */
  sentence: string | null
  fact: FactView | null
  place: Link | null
  time: string | null
}

interface Found {
  facts: readonly FactView[]
  passages: readonly AnswerPassageView[]
}

/**
 * The last fact of a chain that the question goes along; else the best sentence of the best passage, or what is asked of it
 * if it is a row of a table, or the fact that the engine ranks above it. Null for summaries.
 */
export function bestOf(
  { facts, passages, summary, linked }: Answer,
  groups: readonly Found[],
  stems: ReadonlySet<string>,
): BestView | null {
  if (summary) return null
  const found = groups.flatMap(group => group.facts)
  const last = lastHop(found, { stems, linked: linked.map(({ entity }) => entity) })
  if (last) return factLead(last)
  const [fact] = found
  const [passage] = groups.flatMap(group => group.passages)
  const [best] = passages
  const cells = passage && best ? bestCells(passage.place.first, best.text, stems) : null
  const isFactBetter = (facts[0]?.score ?? 0) > (best?.score ?? 0) && !cells?.isNamed
  const sentence = cells?.text ?? (passage ? bestSentence(passage.html, stems) : null)
  if (fact && (isFactBetter || sentence === null)) return factLead(fact)
  if (!passage || sentence === null) return null
  return {
    sentence: markWords(escapeHtml(sentence), stems),
    fact: null,
    place: { text: passage.title.split(' > ').join(' › '), href: passage.href },
    time: passage.time,
  }
}

const factLead = (fact: FactView): BestView => ({
  sentence: null,
  fact,
  place: fact.sources[0] ?? null,
  time: fact.times || null,
})
