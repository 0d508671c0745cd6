import { outgoingOf, predicateRange, type SafeIndex } from '../index/safe-index.js'
import type { LinkedQuestion } from './link.js'
import { linkPredicate } from './mere-links.js'
import type { QuestionWords } from './question-words.js'

/** Relations examined of an entity, and of each entity at their other end. */
const MAX_EDGES = 60
const MAX_FARTHER_EDGES = 4

/** A group that the question names: its words as bits, where they begin, and the weight of the name. */
interface NamedGroup {
  words: number
  from: number
  weight: number
}

/**
 * Members of a group that the question names earlier: in "Which tasks belong to the Fiji party?" the things that have a
 * relation to Tasks, as pages to their database and classes to a wider one. A relation of the same name may follow:
 * Napoletana is a kind of named pizza, which is a kind of pizza.
 */
export class Members {
  readonly #index: SafeIndex
  /** By entity. */
  readonly #groups = new Map<number, NamedGroup>()
  readonly #groupsOf = new Map<number, readonly NamedGroup[]>()
  readonly #mereLinks: number

  constructor(index: SafeIndex, { links }: LinkedQuestion, words: QuestionWords) {
    this.#index = index
    this.#mereLinks = linkPredicate(index)
    for (const { entity, from, to, weight } of links)
      if ((this.#groups.get(entity)?.weight ?? 0) < weight)
        this.#groups.set(entity, { words: words.between(from, to), from, weight })
  }

  /** The group of an entity that words other than those `taken` name before `focus`, which is not in it. */
  groupOf(entity: number, focus: { entity: number; from: number }, taken: number): NamedGroup | null {
    if (this.#groups.size < 2 || this.#groups.has(entity)) return null
    let best: NamedGroup | null = null
    for (const group of this.#of(entity))
      if (!(group.words & taken) && group.from < focus.from && group.weight > (best?.weight ?? 0))
        best = group
    // "the American pizza": the word describes the thing itself.
    return best === null || this.#of(focus.entity).includes(best) ? null : best
  }

  #of(entity: number): readonly NamedGroup[] {
    const known = this.#groupsOf.get(entity)
    if (known) return known
    const { facts } = this.#index
    const found: NamedGroup[] = []
    const add = (fact: number) => {
      const group = this.#groups.get(facts.object[fact] ?? 0)
      if (group) found.push(group)
    }
    const { start, end } = outgoingOf(facts, entity)
    for (let fact = start; fact < Math.min(end, start + MAX_EDGES); fact++) {
      const predicate = facts.predicate[fact] ?? 0
      if (predicate === this.#mereLinks) continue
      add(fact)
      const next = predicateRange(facts, facts.object[fact] ?? 0, predicate, true)
      for (let at = next.start; at < Math.min(next.end, next.start + MAX_FARTHER_EDGES); at++) add(at)
    }
    this.#groupsOf.set(entity, found)
    return found
  }
}
