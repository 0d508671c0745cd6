import { nearestKeys, typeTest } from './find-entity.js'
import { type Link, type LinkedQuestion, link } from './link.js'
import { QuestionWords } from './question-words.js'
import { rankFacts } from './rank-facts.js'
import { rankPassages } from './rank-passages.js'
import { type Found, keysOf, pageOf, type Ranking, rankingOf } from './ranking.js'
import type { SafeIndex } from './safe-index.js'
import { stringAt } from './strings.js'
import { isRanged, type TimeRange } from './time-range.js'
import type { Scored } from './top.js'

export interface Query extends TimeRange {
  query: string
  /** Facts and passages together. */
  limit: number
  /** Of them, how many to leave out at the start: the next page. */
  offset: number
  /** Only what is about entities of these types; absent or empty: of any. */
  types?: readonly string[]
}

/** Entities named in an answer. */
const maxEntities = 10
/** Facts (or passages) in a row, as long as there are both. */
const longestRun = 3

/**
 * Answers a question from an index (GRAPH §3): the same question over the same index has the same answer, and the cost
 * is bounded whatever the Safe's size.
 */
export function query(index: SafeIndex, { query, limit, offset, types = [], ...range }: Query): Ranking {
  const question = link(index, query)
  const words = new QuestionWords(index, question)
  const { passages, mass } = rankPassages(index, question, words, range)
  const facts = isRanged(range) ? [] : rankFacts(index, question, words, mass)
  const found = ofTypes(index, types, interleave(facts, passages))
  const linked = bestLinks(question.links)
  return rankingOf(index, 'search', {
    linked: linked.map(({ text, entity }) => ({ text, entity: stringAt(index.entities, entity) })),
    ...pageOf(index, found.slice(offset, offset + limit)),
    entities: entitiesOf(index, linked, found),
    total: found.length,
    unmatched: question.unmatched,
    nearest: nearest(index, question, found.length === 0),
  })
}

/** What is about an entity of one of these types: a fact by either of its ends. */
function ofTypes(index: SafeIndex, types: readonly string[], found: Found[]): Found[] {
  if (types.length === 0) return found
  const isOne = typeTest(index, types)
  const { facts, passages } = index
  return found.filter(({ fact, id }) =>
    fact ? isOne(facts.subject[id] ?? 0) || isOne(facts.object[id] ?? 0) : isOne(passages.entity[id] ?? 0),
  )
}

/** One list by score, in which neither kind waits for more than `longestRun` of the other. */
function interleave(facts: Scored[], passages: Scored[]): Found[] {
  const merged: Found[] = []
  let atFact = 0
  let atPassage = 0
  let run = 0
  while (atFact < facts.length || atPassage < passages.length) {
    const fact = facts[atFact]
    const passage = passages[atPassage]
    const last = merged.at(-1)?.fact
    let takeFact = passage === undefined || (fact !== undefined && fact.score >= passage.score)
    if (fact !== undefined && passage !== undefined && run >= longestRun && last === takeFact)
      takeFact = !takeFact
    run = last === takeFact ? run + 1 : 1
    const scored = takeFact ? fact : passage
    if (scored !== undefined) merged.push({ fact: takeFact, ...scored })
    if (takeFact) atFact++
    else atPassage++
  }
  return inOrderOfScore(merged)
}

/** Raises the score of what was put before something better, so that the scores tell the order and no two are equal. */
function inOrderOfScore(merged: Found[]): Found[] {
  let next = 0
  for (const found of merged.toReversed()) {
    next = Math.max(found.score, next * (1 + 1e-6) + 1e-9)
    found.score = next
  }
  return merged
}

/** Best first; of many meanings of the same words the first few. */
function bestLinks(links: Link[]): Link[] {
  const perText = new Map<string, number>()
  return links
    .toSorted((a, b) => b.weight - a.weight || a.from - b.from || a.entity - b.entity)
    .filter(({ text }) => {
      const before = perText.get(text) ?? 0
      perText.set(text, before + 1)
      return before < 3
    })
    .slice(0, maxEntities)
}

function entitiesOf(index: SafeIndex, linked: Link[], found: Found[]): string[] {
  const ends = found
    .filter(({ fact }) => fact)
    .slice(0, maxEntities)
    .flatMap(({ id }) => [index.facts.subject[id] ?? 0, index.facts.object[id] ?? 0])
  return keysOf(index, [...linked.map(({ entity }) => entity), ...ends]).slice(0, maxEntities)
}

function nearest(index: SafeIndex, question: LinkedQuestion, nothingFound: boolean): string[] {
  const open = question.words.filter(word => !word.stop).map(word => word.text)
  return nearestKeys(index, question.unmatched.length > 0 || !nothingFound ? question.unmatched : open)
}
