import type { Lead } from '../../../domain/safes/ask/answer.js'
import { escapeHtml } from '../../../platform/common/escape-html.js'
import type { AnswerPassageView, FactView, TextLink } from './answer-items.js'
import { markWords } from './marked-words.js'
import { shownTitle } from './passage-view.js'

/** The lead of an answer: a sentence or a fact, and its place. */
export interface BestView {
  /** The sentence as HTML, with the words of the question marked. */
  sentence: string | null
  fact: FactView | null
  place: TextLink | null
  time: string | null
}

/** Shows the lead of an answer. Null without one. */
export function bestView(
  lead: Lead | undefined,
  { facts, passages }: { facts: readonly FactView[]; passages: readonly AnswerPassageView[] },
  stems: ReadonlySet<string>,
): BestView | null {
  const fact = facts.find(({ id }) => id === lead?.id)
  if (fact) return { sentence: null, fact, place: fact.sources[0] ?? null, time: fact.times || null }
  const passage = passages.find(({ id }) => id === lead?.id)
  if (!lead || !passage) return null
  return {
    sentence: markWords(escapeHtml(lead.text), stems),
    fact: null,
    place: { text: shownTitle(passage.title), href: passage.href },
    time: passage.time,
  }
}
