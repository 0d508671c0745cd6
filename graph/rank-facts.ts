import { itemsOf } from './groups.js'
import type { Link, LinkedQuestion } from './link.js'
import type { SafeIndex } from './safe-index.js'
import type { StringTable } from './string-table.js'
import { stem, terms, words } from './text.js'
import { byScore, type Scored, Top } from './top.js'

/** Relations looked at around one entity, in each direction, and around one that is a step away. */
const maxEdges = 1_000
const maxFartherEdges = 200
/** Entities a step away that are looked at. */
const maxFarther = 12
/** Share of the score that is left after a step. */
const decay = 0.45
const maxPostings = 20_000
/** Names with words of the question that are looked for at the other ends. */
const maxNamed = 500

const maxFacts = 500
const maxPassages = 200

export interface RankedFacts {
  facts: Scored[]
  /** Entities that the best facts lead to, with their weight. */
  reached: Map<number, number>
}

/**
 * Facts about the linked entities and, where the question has words left, about those a step farther: "Where does the
 * keeper of X live?". A fact scores by its entity's weight and by how well predicate and other end match the question.
 */
export function rankFacts(index: SafeIndex, question: LinkedQuestion, seeds: Link[]): RankedFacts {
  const ranker = new FactRanker(index, question)
  for (const seed of seeds) ranker.expand(seed, maxEdges, seed.weight, new Set(), 0)
  const reached = ranker.reached()
  for (const { entity, weight, used } of reached) {
    ranker.expand({ entity, from: -1, to: -1 }, maxFartherEdges, weight, used, 0.01)
  }
  return { facts: ranker.best(), reached: new Map(reached.map(({ entity, weight }) => [entity, weight])) }
}

interface Found {
  score: number
  /** How much of it comes from words of the question. */
  match: number
  /** Positions of the words it matched. */
  used: Set<number>
  /** The end that was not asked about. */
  other: number
}

interface Place {
  entity: number
  from: number
  to: number
}

class FactRanker {
  readonly found = new Map<number, Found>()
  readonly #index: SafeIndex
  readonly #question: LinkedQuestion
  readonly #linked: Set<number>
  /** Entities with a word of the question in their name: reading every name at a hub would cost most of the time. */
  readonly #named: Set<number>
  /** Predicate → its stems; type → its stems. */
  readonly #predicates = new Map<number, Set<string>>()
  readonly #types = new Map<number, Set<string>>()

  constructor(index: SafeIndex, question: LinkedQuestion) {
    this.#index = index
    this.#question = question
    const stems = question.words.filter(word => !word.stop).map(word => word.stem)
    const named = index.names.search(stems, maxNamed, 4_000)
    this.#named = new Set(named.map(({ id }) => index.nameOf[id] ?? 0))
    this.#linked = new Set(question.links.map(({ entity }) => entity))
  }

  /** Scores the relations of an entity; those that match less than `least` are left out. */
  expand(place: Place, edges: number, weight: number, used: Set<number>, least: number): void {
    const { asSubject, asObject, facts } = this.#index
    for (const fact of itemsOf(asSubject, place.entity).subarray(0, edges)) {
      this.#score(fact, place, facts.object[fact] ?? 0, true, weight, used, least)
    }
    for (const fact of itemsOf(asObject, place.entity).subarray(0, edges)) {
      this.#score(fact, place, facts.subject[fact] ?? 0, false, weight, used, least)
    }
  }

  /**
   * The best facts. A name of many entities makes all scores small; they are raised so that the best one says by its
   * score how well it matches, which is how it compares with passages.
   */
  best(): Scored[] {
    const top = new Top(maxFacts)
    for (const [fact, { score }] of this.found) top.offer(fact, score)
    const facts = top.sorted()
    const first = facts[0]
    if (first === undefined) return []
    const raise = Math.max(1, (0.5 + (this.found.get(first.id)?.match ?? 0)) / first.score)
    return facts.map(({ id, score }) => ({ id, score: score * raise }))
  }

  /** The best entities that the facts found so far lead to by matching the question. */
  reached(): { entity: number; weight: number; used: Set<number> }[] {
    const best = new Map<number, Found>()
    for (const found of this.found.values()) {
      if (found.match === 0 || this.#linked.has(found.other)) continue
      if ((best.get(found.other)?.score ?? 0) < found.score) best.set(found.other, found)
    }
    return [...best]
      .map(([entity, { score, used }]) => ({ entity, weight: score * decay, used }))
      .sort((a, b) => b.weight - a.weight || a.entity - b.entity)
      .slice(0, maxFarther)
  }

  #score(
    fact: number,
    place: Place,
    other: number,
    asSubject: boolean,
    weight: number,
    used: Set<number>,
    least: number,
  ): void {
    const predicate = this.#index.facts.predicate[fact] ?? 0
    const now = new Set(used)
    const byPredicate = this.#match(
      this.#stemsOf(this.#index.predicates, predicate, this.#predicates),
      place,
      now,
    )
    const byEnd = this.#matchEnd(other, place, now)
    const match = byPredicate + byEnd
    if (match < least) return
    // Who does it stands before the verb, whom it is done to after it.
    const verb = Math.min(...[...now].filter(at => !used.has(at)))
    const inOrder = place.from >= 0 && byPredicate > 0 && place.from < verb === asSubject
    const score = weight * (0.5 + match + (inOrder ? 0.25 : 0))
    const before = this.found.get(fact)
    if (before === undefined) this.found.set(fact, { score, match, used: now, other })
    else if (least === 0) before.score += score
    else before.score = Math.max(before.score, score)
  }

  /** Share of these stems that the question has, outside the entity's own name and what was used before. */
  #match(stems: Set<string>, place: Place, used: Set<number>): number {
    if (stems.size === 0) return 0
    const seen = new Set<string>()
    this.#question.words.forEach((word, at) => {
      if (word.stop || (at >= place.from && at < place.to) || !stems.has(word.stem)) return
      if (used.has(at) && !seen.has(word.stem)) return
      seen.add(word.stem)
      used.add(at)
    })
    return Math.sqrt(seen.size / stems.size)
  }

  #matchEnd(other: number, place: Place, used: Set<number>): number {
    const { entities, types, typeOf } = this.#index
    const byType = this.#match(this.#stemsOf(types, typeOf[other] ?? 0, this.#types), place, used)
    if (byType > 0) return 0.6 * byType
    if (!this.#named.has(other)) return 0
    const name = new Set(words(entities.at(other)).slice(0, 12).map(stem))
    return 0.5 * this.#match(name, place, new Set(used))
  }

  #stemsOf(texts: StringTable, number: number, known: Map<number, Set<string>>): Set<string> {
    const stems = known.get(number) ?? new Set(terms(texts.at(number)))
    known.set(number, stems)
    return stems
  }
}
