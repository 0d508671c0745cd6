import { messages } from '../../messages.js'
import { type Answer, type AnswerFact, commonSource, groupsOf, leadLines } from '../../safes/ask/answer.js'
import { pathWith } from './paging.js'

/** A name with a link that asks about it. */
interface AnswerLink {
  text: string
  href: string
}

/** `source` is null when it is the common source. */
interface FactView {
  subject: AnswerLink
  predicate: string
  object: AnswerLink
  source: string | null
}

/** The view model of `views/answer.eta`. */
export interface AnswerView {
  /** "3 of 12 found"; null for an overview. */
  shown: string | null
  linked: AnswerLink[]
  isEmpty: boolean
  /** Lines before facts and passages. */
  lead: string[]
  groups: {
    about: string | null
    facts: FactView[]
    passages: { title: string; text: string; origin: string | null }[]
    /** Facts that only link notes, shown last. */
    links: FactView[]
  }[]
  /** The source of every item that names none. */
  source: { label: string; name: string } | null
  hints: string[]
  /** Link to the next page of the answer. */
  more: string | null
}

export function answerView(answer: Answer, question: string, otherWords: string): AnswerView {
  const m = messages.safe
  const common = commonSource(answer)
  const factView = ({ subject, predicate, object, sources }: AnswerFact): FactView => {
    const source = sources.join('; ')
    return {
      subject: linkTo(subject),
      predicate,
      object: linkTo(object),
      source: source === common ? null : source,
    }
  }
  const groups = groupsOf(answer).map(({ about, facts, passages, links }) => ({
    about,
    facts: facts.map(factView),
    passages: passages.map(({ title, text, source, time }) => {
      const origin = [source === common ? null : `${m.source} ${source}`, time]
      return { title, text, origin: origin.filter(Boolean).join(' · ') || null }
    }),
    links: links.map(factView),
  }))
  const othersHaveAnother = answer.passages.some(({ source }) => source !== common)
  const cursor = answer.next_cursor ?? undefined
  return {
    shown:
      answer.mode === 'overview' ? null : m.shown(answer.facts.length + answer.passages.length, answer.total),
    linked: answer.linked.map(({ entity }) => linkTo(entity)),
    isEmpty: answer.total === 0 && !answer.summary,
    lead: leadLines(answer),
    groups,
    source: common === null ? null : { label: othersHaveAnother ? m.commonSource : m.source, name: common },
    hints: answer.hints,
    more: cursor ? pathWith('', { q: question, other_words: otherWords, cursor }) : null,
  }
}

const linkTo = (name: string): AnswerLink => ({ text: name, href: pathWith('', { q: name }) })
