import { stringAt } from '../collections/strings.js'
import type { Scored } from '../collections/top.js'
import type { SafeIndex } from '../index/safe-index.js'
import { coverageOf } from './coverage.js'
import { nearestKeys, typeTest } from './find-entity.js'
import { type Link, type LinkedQuestion, link } from './link.js'
import { linkPredicate } from './mere-links.js'
import { QuestionWords } from './question-words.js'
import { rankFacts } from './rank-facts.js'
import { rankPassages } from './rank-passages.js'
import { type Hit, keysOf, pageOf, type Ranking, rankingOf } from './ranking.js'
import { isRanged, type TimeRange } from './time-range.js'

export interface Query extends TimeRange {
  query: string
  /** Facts and passages together. */
  limit: number
  /** Of them, how many to leave out at the start: the next page. */
  offset: number
  /** Only what is about entities of these types; absent or empty: of any. */
  types?: readonly string[]
  /** Other words that the passages may use for what the query asks. They find passages and count less than the query. */
  otherWords?: readonly string[]
}

/** Entities named in an answer. */
const maxEntities = 10
/** Facts (or passages) in a row, as long as there are both. */
const longestRun = 3
/** Passages come first in so many places where the fact is a mere link. */
const beforeLinks = 5

/**
 * Answers a question from an index (GRAPH §3): the same question over the same index has the same answer, and the cost
 * is bounded whatever the Safe's size.
 */
export function query(
  index: SafeIndex,
  { query, limit, offset, types = [], otherWords = [], ...range }: Query,
): Ranking {
  const question = link(index, query)
  const words = new QuestionWords(index, question)
  const { passages, mass } = rankPassages(index, question, words, range, otherWords)
  const facts = isRanged(range) ? [] : rankFacts(index, question, words, mass)
  const all = ofTypes(index, types, interleave(facts, passages, linkTest(index)))
  const found = isRanged(range) ? all : withoutTail(all)
  const linked = bestLinks(question.links)
  return rankingOf(index, 'search', {
    linked: linked.map(({ text, entity }) => ({ text, entity: stringAt(index.entities, entity) })),
    ...pageOf(index, found.slice(offset, offset + limit)),
    entities: entitiesOf(index, linked, found),
    total: found.length,
    coverage: coverageOfBest(index, question, offset, found),
    unmatched: question.unmatched,
    nearest: nearest(index, question, found.length === 0),
  })
}

/** What is about an entity of one of these types: a fact by either of its ends. */
function ofTypes(index: SafeIndex, types: readonly string[], found: Hit[]): Hit[] {
  if (types.length === 0) return found
  const isOne = typeTest(index, types)
  const { facts, passages } = index
  return found.filter(({ fact, id }) =>
    fact ? isOne(facts.subject[id] ?? 0) || isOne(facts.object[id] ?? 0) : isOne(passages.entity[id] ?? 0),
  )
}

/** Whether a fact says only that a note links to another. */
function linkTest(index: SafeIndex): (fact: number) => boolean {
  const links = linkPredicate(index)
  return fact => index.facts.predicate[fact] === links
}

/** One list by score, in which neither kind waits for more than `longestRun` of the other. */
function interleave(
  facts: readonly Scored[],
  passages: readonly Scored[],
  isLink: (fact: number) => boolean,
): Hit[] {
  const merged: Hit[] = []
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
    if (takeFact && fact && passage && merged.length < beforeLinks && isLink(fact.id)) takeFact = false
    run = last === takeFact ? run + 1 : 1
    const scored = takeFact ? fact : passage
    if (scored !== undefined) merged.push({ fact: takeFact, id: scored.id, score: scored.score })
    if (takeFact) atFact++
    else atPassage++
  }
  return inOrderOfScore(merged)
}

/** Raises the score of what was put before something better, so that the scores tell the order and no two are equal. */
function inOrderOfScore(merged: Hit[]): Hit[] {
  let next = 0
  for (const found of merged.toReversed()) {
    next = Math.max(found.score, next * (1 + 1e-6) + 1e-9)
    found.score = next
  }
  return merged
}

/**
 * Share of the best score below which nothing is told: no passage that a question of `bench:quality` needs is among the
 * first ten with less.
 */
const leastScore = 0.005
/** Shares of the best link's mass, and of the best weight for words that are but a part of a name, to be told of. */
const leastMass = 0.03
const leastWeight = 0.35

/** Without the facts and passages that hardly anything led to, so that `total` counts what may answer. */
function withoutTail(found: Hit[]): Hit[] {
  const least = (found[0]?.score ?? 0) * leastScore
  const end = found.findIndex(({ score }) => score < least)
  return end < 0 ? found : found.slice(0, end)
}

/** Links that matter beside the best one, best first; of many meanings of the same words the first few. */
function bestLinks(links: Link[]): Link[] {
  const perText = new Map<string, number>()
  const mass = Math.max(...links.map(link => link.mass))
  const weight = Math.max(...links.map(link => link.weight))
  return links
    .filter(link => (link.mass > 0 ? link.mass >= leastMass * mass : link.weight >= leastWeight * weight))
    .toSorted((a, b) => b.weight - a.weight || a.from - b.from || a.entity - b.entity)
    .filter(({ text }) => {
      const before = perText.get(text) ?? 0
      perText.set(text, before + 1)
      return before < 3
    })
    .slice(0, maxEntities)
}

function entitiesOf(index: SafeIndex, linked: Link[], found: Hit[]): string[] {
  const ends = found
    .filter(({ fact }) => fact)
    .slice(0, maxEntities)
    .flatMap(({ id }) => [index.facts.subject[id] ?? 0, index.facts.object[id] ?? 0])
  return keysOf(index, [...linked.map(({ entity }) => entity), ...ends]).slice(0, maxEntities)
}

/** Of the first page only, and of its first result only if that is a passage. */
function coverageOfBest(
  index: SafeIndex,
  question: LinkedQuestion,
  offset: number,
  [best]: readonly Hit[],
): number | null {
  return offset > 0 || best === undefined || best.fact ? null : coverageOf(index, question, best.id)
}

function nearest(index: SafeIndex, question: LinkedQuestion, nothingFound: boolean): string[] {
  const open = question.words.filter(word => !word.stop).map(word => word.text)
  return nearestKeys(index, question.unmatched.length > 0 || !nothingFound ? question.unmatched : open)
}
