import { normalizeName } from '../../../graph/text/text.js'
import { messages } from '../../../messages.js'
import {
  type Answer,
  type AnswerFact,
  type AnswerPassage,
  commonSource,
  groupsOf,
} from '../../../safes/ask/answer.js'
import { factTimesText } from '../../../safes/ask/fact-times-text.js'
import { fewWordsHint, tryOtherWords } from '../../../safes/ask/hints.js'
import { pathWith } from '../list.js'
import { browsePath, namePath } from '../safes/safe-links.js'
import { type AnswerLead, answerLead } from './answer-lead.js'

interface Link {
  text: string
  href: string
}

/** `sources` is empty when they are the common source. */
interface FactView {
  subject: Link
  predicate: Link
  object: Link
  /** When it is true, as text. */
  times: string
  sources: Link[]
}

interface AnswerPassageView {
  title: string
  /** The thing it is about, if the answer names it. */
  href: string | null
  text: string
  source: Link | null
  time: string | null
}

/** The view model of `views/answer.eta`. */
export interface AnswerView {
  /** "3 of 12 found"; null for an overview. */
  shown: string | null
  linked: Link[]
  isEmpty: boolean
  lead: AnswerLead
  groups: {
    about: string | null
    /** The page of the thing that the group is about. */
    href: string | null
    facts: FactView[]
    passages: AnswerPassageView[]
    /** Facts that only link notes, shown last. */
    links: FactView[]
  }[]
  /** The source of every item that names none. */
  source: { label: string; name: string; href: string } | null
  hints: string[]
  /** Where to look around when nothing was found. */
  browse: string | null
  /** Link to the next page of the answer. */
  more: string | null
}

/** Hints that name arguments of a tool, for which a page has other words. */
const FOR_ASSISTANTS = [fewWordsHint, tryOtherWords]

export function answerView(
  answer: Answer,
  safePath: string,
  question: string,
  otherWords: string,
): AnswerView {
  const m = messages.safe
  const common = commonSource(answer)
  const nameLink = (name: string): Link => ({ text: name, href: namePath(safePath, name) })
  const sourceLink = (source: string): Link => ({ text: source, href: browsePath(safePath, { source }) })
  const factView = ({ subject, predicate, object, sources, ...dates }: AnswerFact): FactView => ({
    subject: nameLink(subject),
    predicate: { text: predicate, href: browsePath(safePath, { relation: predicate }) },
    object: nameLink(object),
    times: factTimesText(dates),
    sources: sources.join('; ') === common ? [] : sources.map(sourceLink),
  })
  const named = new Set(answer.entities.map(normalizeName))
  const passageView = ({ title, text, source, time }: AnswerPassage): AnswerPassageView => {
    // A title is the name of a thing, followed by headings.
    const [name = title] = title.split(' > ', 1)
    return {
      title,
      href: named.has(normalizeName(name)) ? namePath(safePath, name) : null,
      text,
      source: source === common ? null : sourceLink(source),
      time: time ?? null,
    }
  }
  const several = answer.summary?.kind === 'entities' ? answer.summary.entities : []
  const groups = groupsOf(answer).map(({ about, facts, passages, links }, at) => ({
    about,
    href: about !== null && several[at] ? namePath(safePath, several[at].name) : null,
    facts: facts.map(factView),
    passages: passages.map(passageView),
    links: links.map(factView),
  }))
  const othersHaveAnother = answer.passages.some(({ source }) => source !== common)
  const cursor = answer.next_cursor ?? undefined
  const isEmpty = answer.total === 0 && !answer.summary
  return {
    shown:
      answer.mode === 'overview' ? null : m.shown(answer.facts.length + answer.passages.length, answer.total),
    linked: answer.linked.map(({ entity }) => nameLink(entity)),
    isEmpty,
    lead: answerLead(answer, safePath),
    groups,
    source:
      common === null
        ? null
        : {
            label: othersHaveAnother ? m.commonSource : m.source,
            name: common,
            href: browsePath(safePath, { source: common }),
          },
    hints: answer.hints.filter(hint => !FOR_ASSISTANTS.includes(hint)),
    browse: isEmpty ? browsePath(safePath, {}) : null,
    more: cursor ? pathWith('', { q: question, other_words: otherWords, cursor }) : null,
  }
}
