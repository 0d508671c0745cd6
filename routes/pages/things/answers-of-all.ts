import { commonSource } from '../../../domain/safes/ask/answer.js'
import type { AllAnswers } from '../../../domain/safes/ask/ask-all.js'
import { askTexts } from '../../../views/texts/ask.js'
import { pathWith } from '../list.js'
import {
  type AnswerPassageView,
  answerPassageView,
  type FactView,
  factView,
  type Link as TextLink,
} from './answer-items.js'
import { type BestView, bestView } from './best-answer.js'
import { stemsOf } from './marked-words.js'
import type { Link } from './thing-link.js'

/** The answers of all Safes, for `views/search.eta`. */
export interface AnswersView {
  best: BestView | null
  /** The Safe of the best sentence. */
  bestSafe: Link | null
  safes: {
    safe: Link
    passages: AnswerPassageView[]
    facts: FactView[]
    linked: TextLink[]
    /** The whole answer of this Safe. */
    all: string
  }[]
  /** Shown if no Safe answers. */
  nothing: string | null
  /** Links to Safes whose results hardly answer. */
  weak: Link[]
  unasked: Link[]
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
  const stems = stemsOf(question)
  const askPath = (safe: { id: string }) => pathWith(`/safes/${safe.id}`, { q: question })
  const link = ({ id, name }: { id: string; name: string }) => ({ name, href: askPath({ id }) })
  const shownSafes = answers.slice(0, SAFES).map(async ({ safe, answer }) => {
    const around = { safePath: `/safes/${safe.id}`, common: commonSource(answer), stems }
    const passages = answer.passages.slice(0, PASSAGES)
    return {
      safe: { name: safe.name, href: around.safePath },
      passages: await Promise.all(passages.map(passage => answerPassageView(passage, around))),
      facts: answer.facts.slice(0, FACTS).map(fact => factView(fact, around)),
      linked: [],
      all: askPath(safe),
    }
  })
  const safes = await Promise.all(shownSafes)
  const [first] = answers
  const [shown] = safes
  return {
    best: first && shown ? bestView(first.answer.lead, shown, stems) : null,
    bestSafe: shown?.safe ?? null,
    safes,
    nothing: answers.length === 0 && unasked.length === 0 ? askTexts.search.nothing : null,
    weak: weak.slice(0, MAX_LINKS).map(({ safe }) => link(safe)),
    unasked: unasked.slice(0, MAX_LINKS).map(link),
  }
}
