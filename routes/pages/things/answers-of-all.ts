import { commonSource } from '../../../domain/safes/ask/answer.js'
import type { AllAnswers } from '../../../domain/safes/ask/ask-all.js'
import { askTexts } from '../../../views/texts/ask.js'
import { pathWith } from '../list.js'
import { answerPassageView, factView } from './answer-items.js'
import { type BestView, bestView } from './best-answer.js'
import { stemsOf } from './marked-words.js'
import { shownTitle } from './passage-view.js'
import type { ThingLink } from './thing-link.js'

/** A result in the list of the search: a passage, a fact, a document or a thing. */
export interface ListedResult extends ThingLink {
  kind: string
  /** The full answer of its Safe. */
  safe: ThingLink
  note: string
  /** The text of a passage, from `engine/rendering/`. */
  html: string | null
}

/** The answers of all Safes. */
export interface AnswersView {
  best: BestView | null
  /** The Safe of the best sentence. */
  bestSafe: ThingLink | null
  results: ListedResult[]
  /** Shown if no Safe answers. */
  nothing: string | null
  /** Links to Safes whose results hardly answer. */
  weak: ThingLink[]
  unasked: ThingLink[]
}

/** Maximum Safes whose answers are shown, and limits of each. */
const SAFES = 4
const [PASSAGES, FACTS] = [3, 5]
const MAX_LINKS = 12

/** Shows the answers of an account's Safes. */
export async function answersView(
  { answers, weak, unasked }: AllAnswers,
  question: string,
): Promise<AnswersView> {
  const m = askTexts.search
  const stems = stemsOf(question)
  const link = ({ id, name }: { id: string; name: string }) => ({
    name,
    href: pathWith(`/safes/${id}`, { q: question }),
  })
  const shownSafes = answers.slice(0, SAFES).map(async ({ safe, answer }) => {
    const around = { safePath: `/safes/${safe.id}`, common: commonSource(answer), stems }
    const shown = answer.passages.slice(0, PASSAGES).map(passage => answerPassageView(passage, around))
    const passages = await Promise.all(shown)
    const facts = answer.facts.slice(0, FACTS).map(fact => factView(fact, around))
    const results = [
      ...passages.map(({ title, href, html, time }): ListedResult => {
        return { kind: m.passage, name: shownTitle(title), href, safe: link(safe), note: time ?? '', html }
      }),
      ...facts.map(({ subject, predicate, object, times }): ListedResult => {
        const name = [subject, predicate, object].map(({ text }) => text).join(' ')
        return { kind: m.fact, name, href: subject.href, safe: link(safe), note: times, html: null }
      }),
    ]
    return { best: bestView(answer.lead, { facts, passages }, stems), results }
  })
  const safes = await Promise.all(shownSafes)
  const best = safes[0]?.best ?? null
  return {
    best,
    bestSafe: best && answers[0] ? link(answers[0].safe) : null,
    results: safes.flatMap(({ results }) => results),
    nothing: answers.length === 0 && unasked.length === 0 ? m.nothing : null,
    weak: weak.slice(0, MAX_LINKS).map(({ safe }) => link(safe)),
    unasked: unasked.slice(0, MAX_LINKS).map(link),
  }
}
