import type { SafeIndex } from '../index/safe-index.js'
import { factsAround } from '../retrieval/find-entity.js'

/** Maximum hops of a path (GRAPH §4). */
export const MAX_PATH_LENGTH = 4
/**
 * Limits for facts followed: from one entity in each direction, for one pair of entities, and for all pairs
 * that two names can mean. They keep hubs from being expanded completely.
 */
const MAX_EDGES_OF_NODE = 1_000
const MAX_EDGES_OF_PAIR = 20_000
export const MAX_EDGES = 40_000

/** A path: its facts in order, and its entities including both ends. */
export interface Path {
  entities: number[]
  /** Of parallel facts, one that points forward if possible. */
  facts: number[]
}

export interface Paths {
  /** The shortest paths, all of the same length, through different entities. */
  paths: Path[]
  /** Whether a cap ended the search, so that a path may exist although none was found. */
  truncated: boolean
}

/** How an entity was reached: its distance, and the entities and facts one step closer. */
type Reached = Map<number, { distance: number; from: { entity: number; fact: number }[] }>

/**
 * Mode `path`: the shortest paths between two entities over relations of either direction, by bidirectional
 * breadth-first search with the smaller frontier first. An edge hidden by a hub's cap is still found from its
 * other end.
 */
export function findPaths(
  index: SafeIndex,
  from: number,
  to: number,
  count = 5,
  hops = MAX_PATH_LENGTH,
  all = { edges: MAX_EDGES },
  isInTime: (fact: number) => boolean = () => true,
): Paths {
  if (from === to) return { paths: [{ entities: [from], facts: [] }], truncated: false }
  const sides = [new Side(from), new Side(to, true)] as const
  const budget = { all, edges: MAX_EDGES_OF_PAIR, truncated: false, isInTime }
  for (let hop = 0; hop < Math.min(hops, MAX_PATH_LENGTH); hop++) {
    const [one, other] =
      sides[0].frontier.length <= sides[1].frontier.length ? sides : ([sides[1], sides[0]] as const)
    const met = one.advance(index, other, budget)
    if (met.length > 0) return { paths: joined(sides[0], sides[1], met, count), truncated: budget.truncated }
    if (one.frontier.length === 0) break
  }
  return { paths: [], truncated: budget.truncated }
}

interface PathBudget {
  all: { edges: number }
  edges: number
  truncated: boolean
  isInTime(fact: number): boolean
}

class Side {
  readonly reached: Reached
  frontier: number[]
  #distance = 0

  /** Whether it starts at the goal, where relations that point to it lead forward. */
  readonly #isGoal: boolean

  constructor(start: number, isGoal = false) {
    this.#isGoal = isGoal
    this.reached = new Map([[start, { distance: 0, from: [] }]])
    this.frontier = [start]
  }

  /** Advances one hop. Returns the entities where the two sides meet. */
  advance(index: SafeIndex, other: Side, budget: PathBudget): number[] {
    this.#distance++
    const next: number[] = []
    const met = new Set<number>()
    for (const entity of this.frontier) {
      if ((index.degrees[entity] ?? 0) > MAX_EDGES_OF_NODE) budget.truncated = true
      for (const edge of factsAround(index, entity, MAX_EDGES_OF_NODE)) {
        if (budget.edges-- <= 0 || budget.all.edges-- <= 0) {
          budget.truncated = true
          return [...met]
        }
        if (!budget.isInTime(edge.fact)) continue
        const known = this.reached.get(edge.other)
        const step = { entity, fact: edge.fact }
        if (known === undefined) {
          this.reached.set(edge.other, { distance: this.#distance, from: [step] })
          next.push(edge.other)
        } else if (known.distance === this.#distance) {
          const last = known.from.at(-1)
          if (last?.entity !== entity) known.from.push(step)
          else if (this.#isGoal && index.facts.object[edge.fact] === entity) last.fact = edge.fact
        }
        if (other.reached.has(edge.other)) met.add(edge.other)
      }
    }
    this.frontier = next
    return [...met]
  }

  /** The ways from an entity back to the start of this side, as steps, the nearest first. */
  *back(entity: number): Generator<{ entity: number; fact: number }[]> {
    const steps = this.reached.get(entity)?.from ?? []
    if (steps.length === 0) yield []
    for (const step of steps) for (const rest of this.back(step.entity)) yield [step, ...rest]
  }
}

function joined(first: Side, second: Side, met: number[], count: number): Path[] {
  const paths: Path[] = []
  for (const middle of met) {
    for (const before of first.back(middle)) {
      for (const after of second.back(middle)) {
        const start = before.toReversed()
        paths.push({
          entities: [...start.map(step => step.entity), middle, ...after.map(step => step.entity)],
          facts: [...start.map(step => step.fact), ...after.map(step => step.fact)],
        })
        if (paths.length === count) return paths
      }
    }
  }
  return paths
}
