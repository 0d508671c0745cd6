import type { AnswerFact, AnswerPassage } from '../../../domain/safes/ask/answer.js'
import { factTimesText } from '../../../domain/safes/ask/fact-times-text.js'
import { browsePath, namePath, passagePath } from '../safes/safe-links.js'
import { markWords } from './marked-words.js'
import { passageHtml } from './passage-html.js'

/** Text that links to a page. */
export interface TextLink {
  text: string
  href: string
}

/** A fact of an answer. `sources` is empty if they are the common source. */
export interface FactView {
  id: string
  subject: TextLink
  predicate: TextLink
  object: TextLink
  /** Its period, as text. */
  times: string
  sources: TextLink[]
}

/** A passage of an answer. */
export interface AnswerPassageView {
  id: string
  title: string
  /** Its document, and the headings above it. */
  place: { first: string; rest: string }
  /** Its place in its document. */
  href: string
  /** Its text, from `engine/rendering/`, in which the words of the question are marked. */
  html: string
  source: TextLink | null
  time: string | null
}

/** Options for showing the items of an answer. */
export interface AnswerItemOptions {
  safePath: string
  /** The source of every item without its own. */
  common: string | null
  /** The subject of the question. */
  stems: ReadonlySet<string>
}

/** A link to the thing with this name. */
export const nameLink = (safePath: string, name: string): TextLink => ({
  text: name,
  href: namePath(safePath, name),
})

/** A fact, with links to its things, its relation and its sources. */
export function factView(
  { id, subject, predicate, object, sources, ...dates }: AnswerFact,
  { safePath, common }: AnswerItemOptions,
): FactView {
  return {
    id,
    subject: nameLink(safePath, subject),
    predicate: { text: predicate, href: browsePath(safePath, { relation: predicate }) },
    object: nameLink(safePath, object),
    times: factTimesText(dates),
    sources: sources.join('; ') === common ? [] : sources.map(source => sourceLink(safePath, source)),
  }
}

/** A passage, with links to its place in its document and to its source. */
export async function answerPassageView(
  { id, title, text, source, time }: AnswerPassage,
  { safePath, common, stems }: AnswerItemOptions,
): Promise<AnswerPassageView> {
  const [first = title, ...headings] = title.split(' > ')
  return {
    id,
    title,
    place: { first, rest: headings.join(' › ') },
    href: passagePath(safePath, id),
    html: markWords(await passageHtml(safePath, text), stems),
    source: source === common ? null : sourceLink(safePath, source),
    time: time ?? null,
  }
}

const sourceLink = (safePath: string, source: string): TextLink => ({
  text: source,
  href: browsePath(safePath, { source }),
})
