import { normalizeName } from '../../../graph/text/text.js'
import type { AnswerFact, AnswerPassage } from '../../../safes/ask/answer.js'
import { factTimesText } from '../../../safes/ask/fact-times-text.js'
import { browsePath, namePath } from '../safes/safe-links.js'

/** Text that links to a page. */
export interface Link {
  text: string
  href: string
}

/** A fact of an answer. `sources` is empty when they are the common source. */
export interface FactView {
  subject: Link
  predicate: Link
  object: Link
  /** When it is true, as text. */
  times: string
  sources: Link[]
}

/** A passage of an answer. */
export interface AnswerPassageView {
  title: string
  /** The thing it is about, if the answer names it. */
  href: string | null
  text: string
  source: Link | null
  time: string | null
}

/** What the items of an answer are shown with. */
interface Around {
  safePath: string
  /** The source of every item that names none. */
  common: string | null
  /** The things that the answer names, as keys. */
  named: ReadonlySet<string>
}

/** A link to the thing with this name. */
export const nameLink = (safePath: string, name: string): Link => ({
  text: name,
  href: namePath(safePath, name),
})

/** A fact, with links to its things, its relation and its sources. */
export function factView(
  { subject, predicate, object, sources, ...dates }: AnswerFact,
  { safePath, common }: Around,
): FactView {
  return {
    subject: nameLink(safePath, subject),
    predicate: { text: predicate, href: browsePath(safePath, { relation: predicate }) },
    object: nameLink(safePath, object),
    times: factTimesText(dates),
    sources: sources.join('; ') === common ? [] : sources.map(source => sourceLink(safePath, source)),
  }
}

/** A passage, with links to the thing that it is about and to its source. */
export function answerPassageView(
  { title, text, source, time }: AnswerPassage,
  { safePath, common, named }: Around,
): AnswerPassageView {
  // A title is the name of a thing, followed by headings.
  const [name = title] = title.split(' > ', 1)
  return {
    title,
    href: named.has(normalizeName(name)) ? namePath(safePath, name) : null,
    text,
    source: source === common ? null : sourceLink(safePath, source),
    time: time ?? null,
  }
}

const sourceLink = (safePath: string, source: string): Link => ({
  text: source,
  href: browsePath(safePath, { source }),
})
