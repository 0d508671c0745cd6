import { type Scored, Top } from '../collections/top.js'
import { outgoingOf, predicateRange, type SafeIndex } from '../index/safe-index.js'
import type { EntityLink, LinkedQuestion } from './link.js'
import { Members } from './members.js'
import type { Mass } from './push.js'
import { type QuestionWords, share } from './question-words.js'

/** Relations examined around an entity in each direction, and around one that is a step away. */
const MAX_EDGES = 200
const MAX_FARTHER_EDGES = 60
/** Entities examined that are a step away. */
const MAX_FARTHER = 12
/** Factor on the score after a step. */
const DECAY = 0.45
/** Maximum weight of an entity that only forward push leads to. */
const MASS_WEIGHT = 0.3
const MAX_FACTS = 200
/**
 * Rarity of a name below which only facts with a matching predicate count, and the required match (GRAPH
 * §3.8).
 */
const DISTINCTIVE_NAME = 0.5
const MIN_OF_PREDICATE = 0.4

/**
 * Facts about the linked entities and, if the question has other words, about entities a step away: "Where
 * does the keeper of X live?". A step away are the other ends of matching facts, and the entities with the
 * most mass from forward push. A fact's score depends on its entity's weight and on how well its predicate
 * and other end match the question.
 */
export function rankFacts(
  index: SafeIndex,
  question: LinkedQuestion,
  words: QuestionWords,
  mass: Mass,
  weightOf: (fact: number) => number,
): Scored[] {
  if (index.facts.count === 0) return []
  const onlyNames = question.words.every(word => word.stop || word.linked)
  // Without words besides the names, the names are the whole question.
  const rarityOf = (link: EntityLink) => (onlyNames ? 1 : link.rarity)
  const ranker = new FactRanker(index, question, words, mass, weightOf)
  let best = onlyNames ? 1 : 0
  for (const link of question.links) {
    best = Math.max(best, rarityOf(link))
    ranker.expand(link, MAX_EDGES, {
      weight: link.weight,
      used: 0,
      least: 0,
      ofPredicate: leastFor(rarityOf(link)),
    })
  }
  for (const { entity, weight, used } of ranker.farther()) {
    const place = { entity, from: -1, to: -1 }
    ranker.expand(place, MAX_FARTHER_EDGES, { weight, used, least: 0.01, ofPredicate: leastFor(best) })
  }
  const facts = ranker.best()
  return best >= DISTINCTIVE_NAME ? facts : facts.map(({ id, score }) => ({ id, score: score * best }))
}

/**
 * The required match of a predicate at a name of this rarity: for frequent names not all facts are relevant.
 */
const leastFor = (rarity: number) => (rarity < DISTINCTIVE_NAME ? MIN_OF_PREDICATE : 0)

interface FactMatch {
  score: number
  /** How much of the score comes from words of the question. */
  match: number
  /** The words it matched. */
  used: number
  /** The end that the question does not name. */
  other: number
}

type Focus = Pick<EntityLink, 'entity' | 'from' | 'to'>

/** The viewpoint for scoring facts: an entity, the words already used, its weight, the minimum match. */
interface FactViewpoint extends Focus, Terms {
  taken: number
}

interface Terms {
  weight: number
  used: number
  least: number
  /** Minimum match of the predicate alone. */
  ofPredicate: number
}

class FactRanker {
  readonly #found = new Map<number, FactMatch>()
  readonly #index: SafeIndex
  readonly #words: QuestionWords
  readonly #mass: Mass
  readonly #mostMass: number
  readonly #linked: Set<number>
  readonly #members: Members
  readonly #weightOf: (fact: number) => number

  constructor(
    index: SafeIndex,
    question: LinkedQuestion,
    words: QuestionWords,
    mass: Mass,
    weightOf: (fact: number) => number,
  ) {
    this.#weightOf = weightOf
    this.#index = index
    this.#words = words
    this.#mass = mass
    this.#members = new Members(index, question, words)
    this.#linked = new Set(question.links.map(({ entity }) => entity))
    let most = 0
    for (let at = 0; at < mass.nodes.length; at++) {
      if (index.isNamed[mass.nodes[at] ?? 0] === 1) most = Math.max(most, mass.values[at] ?? 0)
    }
    this.#mostMass = most || 1
  }

  /** Scores the relations of an entity and omits those that match less than `least`. */
  expand(place: Focus, edges: number, terms: Terms): void {
    const { facts } = this.#index
    const taken = terms.used | this.#words.between(place.from, place.to)
    const view: FactViewpoint = { ...place, ...terms, taken }
    const { start, end } = outgoingOf(facts, place.entity)
    const first = facts.incoming.offsets[place.entity] ?? 0
    const last = facts.incoming.offsets[place.entity + 1] ?? 0
    const seen = Math.min(end, start + edges)
    const seenIncoming = Math.min(last, first + edges)
    for (let fact = start; fact < seen; fact++) this.#score(fact, view, true)
    for (let at = first; at < seenIncoming; at++) this.#score(facts.incoming.items[at] ?? 0, view, false)
    if (seen === end && seenIncoming === last) return
    // A hub's matching facts may come later. Facts are ordered by predicate, so they can be found directly.
    for (const predicate of this.#words.predicates.keys()) {
      const out = predicateRange(facts, place.entity, predicate, true)
      const from = Math.max(out.start, seen)
      for (let fact = from; fact < Math.min(out.end, from + edges); fact++) this.#score(fact, view, true)
      const range = predicateRange(facts, place.entity, predicate, false)
      const next = Math.max(first + range.start, seenIncoming)
      for (let at = next; at < Math.min(first + range.end, next + edges); at++)
        this.#score(facts.incoming.items[at] ?? 0, view, false)
    }
  }

  /** The entities a step away to examine next. */
  farther(): { entity: number; weight: number; used: number }[] {
    const best = new Map<number, { weight: number; used: number }>()
    const { nodes, values } = this.#mass
    for (let at = 0; at < nodes.length; at++) {
      const node = nodes[at] ?? 0
      const weight = (MASS_WEIGHT * (values[at] ?? 0)) / this.#mostMass
      if (weight < MASS_WEIGHT / 20 || this.#index.isNamed[node] !== 1 || this.#linked.has(node)) continue
      best.set(node, { weight, used: 0 })
    }
    for (const { match, other, score, used } of this.#found.values()) {
      if (match === 0 || this.#linked.has(other)) continue
      const weight = score * DECAY
      if ((best.get(other)?.weight ?? 0) < weight) best.set(other, { weight, used })
    }
    return [...best]
      .map(([entity, found]) => ({ entity, ...found }))
      .sort((a, b) => b.weight - a.weight || a.entity - b.entity)
      .slice(0, MAX_FARTHER)
  }

  /**
   * The best facts. Names of many entities lower all scores, so they are raised until the best one reflects
   * how well it matches, to compare with passages.
   */
  best(): Scored[] {
    const top = new Top(MAX_FACTS)
    for (const [fact, { score }] of this.#found) top.offer(fact, score)
    const facts = top.sorted()
    const first = facts[0]
    if (first === undefined) return []
    const raise = Math.max(1, (0.5 + (this.#found.get(first.id)?.match ?? 0)) / first.score)
    return facts.map(({ id, score }) => ({ id, score: score * raise }))
  }

  #score(fact: number, view: FactViewpoint, asSubject: boolean): void {
    const weight = this.#weightOf(fact) * view.weight
    if (weight === 0) return
    const { facts } = this.#index
    const other = (asSubject ? facts.object[fact] : facts.subject[fact]) ?? 0
    const predicate = this.#words.ofPredicate(facts.predicate[fact] ?? 0)
    let used = 0
    let match = 0
    if (predicate) {
      used = predicate.mask & ~view.taken
      match = Math.sqrt(share(predicate, used))
    }
    const group = view.least === 0 ? this.#members.groupOf(other, view, view.taken | used) : null
    if (match < Math.sqrt(view.ofPredicate) && group === null) return
    // The subject comes before the verb, the object after it.
    const inOrder =
      used !== 0 && view.from >= 0 && view.from < this.#words.firstPosition(used) === asSubject ? 0.25 : 0
    const type = this.#words.ofType(other)
    const byType = type ? share(type, ~(view.taken | used)) : 0
    if (byType > 0) {
      match += 0.6 * Math.sqrt(byType)
      used |= (type?.mask ?? 0) & ~view.taken
    } else if (group) {
      match += 0.6
      used |= group.words & ~view.taken
    } else {
      const name = this.#words.ofName(other)
      if (name) match += 0.5 * Math.sqrt(share(name, ~(view.taken | used)))
    }
    if (match < view.least) return
    // A fact that joins two names of the question counts for the better one.
    const ofGroup = group ? group.weight * this.#weightOf(fact) : 0
    const score = Math.max(weight, ofGroup) * (0.5 + match + inOrder)
    const before = this.#found.get(fact)
    if (before === undefined) this.#found.set(fact, { score, match, used: used | view.used, other })
    else if (view.least === 0) before.score += score
    else before.score = Math.max(before.score, score)
  }
}
