import { findString } from '../collections/strings.js'
import type { SafeIndex } from '../index/safe-index.js'
import type { QuestionWords } from './question-words.js'

/** The predicate of facts that only record a link between notes. */
export const LINKS_TO = 'links to'

/** Predicates of facts that file a note instead of describing its subject. */
const MERE = new Set([LINKS_TO, 'tagged', 'author', 'authors', 'category', 'categories', 'in database'])

/** Whether a relation files notes: it answers only questions that name it. */
export const isMere = (predicate: string): boolean => MERE.has(predicate.toLowerCase())

/** The number of the predicate of links, or -1 if no fact has it. */
export const linkPredicate = ({ predicates }: SafeIndex): number => findString(predicates, LINKS_TO)

/** Tests whether a fact only files a note, by a relation that the question does not name. */
export function mereTest(index: SafeIndex, words: QuestionWords): (fact: number) => boolean {
  const { facts, predicates } = index
  const mere = new Set<number>()
  for (const name of MERE) {
    const predicate = findString(predicates, name)
    if (predicate >= 0 && words.ofPredicate(predicate) === null) mere.add(predicate)
  }
  const links = linkPredicate(index)
  if (links >= 0) mere.add(links)
  return fact => mere.has(facts.predicate[fact] ?? -1)
}
