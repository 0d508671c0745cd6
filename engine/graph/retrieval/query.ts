import type { Scored } from '../collections/top.js'
import type { SafeIndex } from '../index/safe-index.js'
import { askedWords, evidenceIn } from './evidence.js'
import { nearestKeys, typeTest } from './find-entity.js'
import { type EntityLink, type LinkedQuestion, link } from './link.js'
import { mereTest } from './mere-links.js'
import { QuestionWords } from './question-words.js'
import { rankFacts } from './rank-facts.js'
import { rankPassages } from './rank-passages.js'
import { type Hit, keysOf, linkTo, type PageRange, pageOf, type Ranking, rankingOf } from './ranking.js'
import { factWeight, isLimited, isTimed, type TimeRange } from './time-range.js'

export interface Query extends TimeRange, PageRange {
  query: string
  /** Only results about entities of these types; all types when absent or empty. */
  types?: readonly string[]
  /**
   * Other words that passages may use for the same thing. They find passages but count less than the query.
   */
  otherWords?: readonly string[]
}

/** Entities named in an answer. */
const MAX_ENTITIES = 10
/** The most facts (or passages) in a row while there are both. */
const MAX_RUN_LENGTH = 3
/** In this many first places, passages precede facts that are mere links. */
const BEFORE_LINKS = 10

/**
 * Answers a question from an index (GRAPH §3). Deterministic, and the cost is bounded for a Safe of any size.
 */
export function query(
  index: SafeIndex,
  { query, limit, offset, types = [], otherWords = [], ...range }: Query,
): Ranking {
  const question = link(index, query)
  const words = new QuestionWords(index, question)
  const { passages, mass } = rankPassages(index, question, words, range, otherWords)
  const ranked = rankFacts(index, question, words, mass, factWeight(index, range))
  const facts = isTimed(range) ? ranked : holdingFirst(index, question, ranked)
  const all = ofTypes(index, types, interleave(facts, passages, mereTest(index, words)))
  const asked = askedWords(index, question)
  const found = isLimited(range) ? all : withoutTail(all)
  const linked = bestLinks(question.links)
  const read = found.flatMap(({ fact, id }) => (fact ? [] : [id]))
  return rankingOf(index, 'search', {
    linked: linked.map(({ text, entity, mass }) => ({
      ...linkTo(index, text, entity),
      ...(mass === 0 && { isPart: true }),
    })),
    ...pageOf(index, found.slice(offset, offset + limit)),
    entities: entitiesOf(index, linked, found),
    total: found.length,
    evidence: evidenceIn(index, asked, read),
    unmatched: question.unmatched,
    corrected: question.corrected,
    nearest: nearest(index, question, found.length === 0),
  })
}

/** Results about an entity of one of these types; a fact matches by either end. */
function ofTypes(index: SafeIndex, types: readonly string[], found: Hit[]): Hit[] {
  if (types.length === 0) return found
  const isOne = typeTest(index, types)
  const { facts, passages } = index
  return found.filter(({ fact, id }) =>
    fact ? isOne(facts.subject[id] ?? 0) || isOne(facts.object[id] ?? 0) : isOne(passages.entity[id] ?? 0),
  )
}

/** Merges both lists by score without more than `MAX_RUN_LENGTH` of one kind in a row. */
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
    if (fact !== undefined && passage !== undefined && run >= MAX_RUN_LENGTH && last === takeFact)
      takeFact = !takeFact
    if (takeFact && fact && passage && merged.length < BEFORE_LINKS && isLink(fact.id)) takeFact = false
    run = last === takeFact ? run + 1 : 1
    const scored = takeFact ? fact : passage
    if (scored !== undefined) merged.push({ fact: takeFact, id: scored.id, score: scored.score })
    if (takeFact) atFact++
    else atPassage++
  }
  return inOrderOfScore(merged)
}

/** Raises scores of items placed before better ones, so that scores are strictly decreasing. */
function inOrderOfScore(merged: Hit[]): Hit[] {
  let next = 0
  for (const found of merged.toReversed()) {
    next = Math.max(found.score, next * (1 + 1e-6) + 1e-9)
    found.score = next
  }
  return merged
}

/**
 * Share of the best score below which results are dropped. In the benchmark `quality`, no relevant passage among the
 * first ten scores lower.
 */
const MIN_SCORE = 0.005
/**
 * Share of the best link's mass, and of the best weight for parts of names, from which links are returned.
 */
const MIN_MASS = 0.03
const MIN_WEIGHT = 0.35

/** Drops results with negligible scores, so that `total` counts plausible ones. */
function withoutTail(found: Hit[]): Hit[] {
  const least = (found[0]?.score ?? 0) * MIN_SCORE
  const end = found.findIndex(({ score }) => score < least)
  return end < 0 ? found : found.slice(0, end)
}

/** Relevant links, best first; of many meanings of the same words only the first few. */
function bestLinks(links: EntityLink[]): EntityLink[] {
  const perText = new Map<string, number>()
  const mass = Math.max(...links.map(link => link.mass))
  const weight = Math.max(...links.map(link => link.weight))
  return links
    .filter(link => (link.mass > 0 ? link.mass >= MIN_MASS * mass : link.weight >= MIN_WEIGHT * weight))
    .toSorted((a, b) => b.weight - a.weight || a.from - b.from || a.entity - b.entity)
    .filter(({ text }) => {
      const before = perText.get(text) ?? 0
      perText.set(text, before + 1)
      return before < 3
    })
    .slice(0, MAX_ENTITIES)
}

function entitiesOf(index: SafeIndex, linked: EntityLink[], found: readonly Hit[]): string[] {
  const ends = found
    .filter(({ fact }) => fact)
    .slice(0, MAX_ENTITIES)
    .flatMap(({ id }) => [index.facts.subject[id] ?? 0, index.facts.object[id] ?? 0])
  return keysOf(index, [...linked.map(({ entity }) => entity), ...ends]).slice(0, MAX_ENTITIES)
}

function nearest(index: SafeIndex, question: LinkedQuestion, nothingFound: boolean): string[] {
  const open = question.words.filter(word => !word.stop).map(word => word.text)
  return nearestKeys(index, question.unmatched.length > 0 || !nothingFound ? question.unmatched : open)
}

/**
 * Puts current facts before ended ones, for questions without a time: of the facts with the same relation of an entity
 * that the question names ("Ada lives in", "leads the harbour"), those without an end take the best places, then those
 * that ended last. Other facts keep their places.
 */
function holdingFirst(
  index: SafeIndex,
  { links }: LinkedQuestion,
  ranked: readonly Scored[],
): readonly Scored[] {
  const { subject, predicate, object, periods } = index.facts
  if (periods.of.length === 0) return ranked
  const endOf = (fact: number) => periods.to[periods.of[fact] ?? 0] ?? Number.POSITIVE_INFINITY
  const named = new Set(links.map(({ entity }) => entity))
  const groupOf = (end: Uint32Array, fact: number) =>
    named.has(end[fact] ?? 0) ? `${end[fact]} ${predicate[fact]}` : null
  const bySubject = inOrderOfEnd(ranked, fact => groupOf(subject, fact), endOf)
  return inOrderOfEnd(bySubject, fact => groupOf(object, fact), endOf)
}

/** Orders the facts of each group by their ends, the latest first, in the places that the group has. */
function inOrderOfEnd(
  ranked: readonly Scored[],
  groupOf: (fact: number) => string | null,
  endOf: (fact: number) => number,
): readonly Scored[] {
  const placesOf = new Map<string, number[]>()
  for (const [place, { id }] of ranked.entries()) {
    const group = groupOf(id)
    if (group === null) continue
    const places = placesOf.get(group)
    if (places) places.push(place)
    else placesOf.set(group, [place])
  }
  const ordered = [...ranked]
  for (const places of placesOf.values()) {
    if (places.length === 1) continue
    const facts = places.map(place => ranked[place]?.id ?? 0)
    const byEnd = facts.toSorted((a, b) => (endOf(a) === endOf(b) ? 0 : endOf(b) - endOf(a)))
    for (const [at, place] of places.entries())
      ordered[place] = { id: byEnd[at] ?? 0, score: ranked[place]?.score ?? 0 }
  }
  return ordered
}
