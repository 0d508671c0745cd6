import { type Scored, Top } from '../collections/top.js'
import { passageOf, type SafeIndex, sharedBy } from '../index/safe-index.js'
import { EDGES_OF_NODE } from '../index/workspace.js'

/** Probability of restarting at a seed. */
const RESTART = 0.15
/** Hard limits of a round. */
interface Round {
  /** Mass per edge, regardless of its weight, below which a node is not pushed. */
  epsilon: number
  pushes: number
  /** Edges followed in all. */
  edges: number
}
/**
 * About 200 pushes per question in a Safe of any size. A smaller epsilon (5e-4) costs a quarter more and
 * finds no more.
 */
const FIRST_ROUND: Round = { epsilon: 7e-4, pushes: 1_000, edges: 1_500 }
/**
 * The first steps of the second round find what it adds. A smaller epsilon costs half as much as the first
 * round and finds no more.
 */
const SECOND_ROUND: Round = { epsilon: 1e-3, pushes: 500, edges: 600 }
/** Edges of each kind followed from one node. */
const MAX_EDGES_OF_NODE = Math.floor(EDGES_OF_NODE / 4)

/**
 * How strongly each kind of edge is followed: entity to a passage about it, back, mention, relation (GRAPH
 * §3.5).
 */
const ABOUT_WEIGHT = 100
const BACK_WEIGHT = 10
const MENTION_WEIGHT = 1
const RELATION_WEIGHT = 0.3

/** How well the text at an edge matches the question; 0 = not at all. */
export interface EdgeMatch {
  ofMention(mention: number, passage: number): number
  ofPredicate(predicate: number): number
}

/** Seeds of a second round: the entities mentioned in the best passages of the first. */
interface Hop {
  /** Factor on a passage's mass. */
  factorOf(passage: number): number
  /** Whether the question itself names the entity. */
  isLinked(entity: number): boolean
}

/** Passages that start a second round, and its total mass (GRAPH §3.6). */
const HOP_PASSAGES = 3
const HOP_MASS = 0.25

/** Mass below which the match of a node's edges makes no difference and is not looked up. */
const MIN_READ = 0.02
/** Mass below which a node is omitted from the result. */
const MIN_MASS = 1e-6

/** Nodes and their mass. Entities come first, then passages: passage p is node `entities.size + p`. */
export interface Mass {
  nodes: number[]
  values: number[]
}

/**
 * Personalized PageRank of the nodes around the seeds, approximated by forward push (Andersen, Chung and Lang
 * 2006, "Local graph partitioning using PageRank vectors"): a node keeps `restart` of its residual and passes
 * the rest to its neighbours by edge weight × (1 + match), until no residual exceeds epsilon per edge. The
 * cost depends on epsilon and the caps, not on the size of the Safe. With a `hop`, a second round continues
 * from the entities that the best passages mention.
 */
export function forwardPush(
  index: SafeIndex,
  seeds: ReadonlyMap<number, number>,
  match: EdgeMatch,
  hop?: Hop,
): Mass {
  const push = new Push(index, match)
  try {
    for (const [node, mass] of seeds) push.receive(node, mass, true)
    push.run()
    if (hop) {
      push.seed(hop)
      push.run()
    }
    return push.result()
  } finally {
    push.clear()
  }
}

class Push {
  readonly #index: SafeIndex
  readonly #match: EdgeMatch
  /** For each node its residual and then its mass, side by side because both are needed together. */
  readonly #state: Float32Array
  /** Targets and weights of the edges of the current node. */
  readonly #targets: Uint32Array
  readonly #weights: Float64Array
  readonly #touched: number[] = []
  readonly #queue: number[] = []
  #at = 0
  #edges = 0
  #round = FIRST_ROUND
  /** Whether to look up the match of the current node's edges. */
  #reads = true

  constructor(index: SafeIndex, match: EdgeMatch) {
    this.#index = index
    this.#match = match
    this.#targets = index.workspace.targets
    this.#weights = index.workspace.weights
    this.#state = index.workspace.nodes.take(2 * (index.entities.size + index.passages.count))
  }

  receive(node: number, mass: number, isSeed: boolean): void {
    const state = this.#state
    const before = state[2 * node] ?? 0
    const now = before + mass
    state[2 * node] = now
    if (before === 0 && state[2 * node + 1] === 0) this.#touched.push(node)
    const { epsilon } = this.#round
    // Every node has an edge, so this rejects most nodes without looking up their degree.
    if (now <= epsilon && !isSeed) return
    const least = epsilon * (this.#index.degrees[node] ?? 0)
    if (isSeed || (now > least && before <= least)) this.#queue.push(node)
  }

  run(): void {
    const { pushes, edges } = this.#round
    const end = this.#at + pushes
    for (this.#edges = 0; this.#at < this.#queue.length && this.#at < end; this.#at++) {
      if (this.#edges >= edges) return
      const node = this.#queue[this.#at] ?? 0
      const waiting = this.#state[2 * node] ?? 0
      if (waiting > 0) this.#push(node, waiting)
    }
  }

  /**
   * Begins the second round: adds mass to the entities mentioned in the best passages, depending on how well the
   * surrounding words match.
   */
  seed(hop: Hop): void {
    this.#round = SECOND_ROUND
    const best = this.#bestPassages(hop)
    const total = best.reduce((sum, { score }) => sum + score, 0)
    for (const { id, score } of best) {
      const worths = this.#worthsIn(id, hop)
      let sum = 0
      for (const worth of worths.values()) sum += worth
      for (const [entity, worth] of worths)
        this.receive(entity, (HOP_MASS * score * worth) / total / sum, false)
    }
  }

  #bestPassages({ factorOf }: Hop): Scored[] {
    const first = this.#index.entities.size
    const top = new Top(HOP_PASSAGES)
    for (const node of this.#touched) {
      if (node >= first) top.offer(node - first, this.#massOf(node) * factorOf(node - first))
    }
    return top.sorted()
  }

  /** Entities that a passage mentions and the question does not name. */
  #worthsIn(passage: number, { isLinked }: Hop): Map<number, number> {
    const { mentions } = this.#index
    const worths = new Map<number, number>()
    const end = this.#end(mentions.offsets, passage)
    for (let at = mentions.offsets[passage] ?? 0; at < end; at++) {
      const entity = mentions.entity[at] ?? 0
      if (isLinked(entity)) continue
      const worth = (1 + this.#match.ofMention(at, passage)) / sharedBy(mentions, at)
      worths.set(entity, Math.max(worths.get(entity) ?? 0, worth))
    }
    return worths
  }

  /** A node's mass so far. */
  #massOf(node: number): number {
    return (this.#state[2 * node + 1] ?? 0) + RESTART * (this.#state[2 * node] ?? 0)
  }

  /** The mass of every node reached. */
  result(): Mass {
    const found: Mass = { nodes: [], values: [] }
    for (const node of this.#touched) {
      const mass = this.#massOf(node)
      if (mass > MIN_MASS) {
        found.nodes.push(node)
        found.values.push(mass)
      }
    }
    return found
  }

  /** Restores the zeros for the next question. */
  clear(): void {
    for (const node of this.#touched) {
      this.#state[2 * node] = 0
      this.#state[2 * node + 1] = 0
    }
  }

  #push(node: number, waiting: number): void {
    this.#state[2 * node] = 0
    this.#reads = waiting >= MIN_READ
    const [targets, weights] = [this.#targets, this.#weights]
    const isEntity = node < this.#index.entities.size
    const edges = isEntity ? this.#collectOfEntity(node) : this.#collectOfPassage(node)
    let total = 0
    for (let at = 0; at < edges; at++) total += weights[at] ?? 0
    this.#state[2 * node + 1] = (this.#state[2 * node + 1] ?? 0) + (total > 0 ? RESTART : 1) * waiting
    this.#edges += edges
    const share = total > 0 ? ((1 - RESTART) * waiting) / total : 0
    for (let at = 0; at < edges; at++) this.receive(targets[at] ?? 0, share * (weights[at] ?? 0), false)
  }

  /**
   * Fills `#targets` and `#weights` with the node's edges and returns their number. Plain loops, because a view of each
   * group takes longer to make than its few items take to read.
   */
  #collectOfEntity(entity: number): number {
    const { entities, passages, mentions, facts } = this.#index
    let count = 0
    let end = this.#end(passages.about.offsets, entity)
    for (let at = passages.about.offsets[entity] ?? 0; at < end; at++) {
      count = this.#edge(count, entities.size + (passages.about.items[at] ?? 0), ABOUT_WEIGHT)
    }
    end = this.#end(mentions.byEntity.offsets, entity)
    for (let at = mentions.byEntity.offsets[entity] ?? 0; at < end; at++) {
      const mention = mentions.byEntity.items[at] ?? 0
      const passage = passageOf(mentions, mention)
      count = this.#edge(count, entities.size + passage, this.#mentionWeight(mention, passage))
    }
    end = this.#end(facts.outgoing, entity)
    for (let fact = facts.outgoing[entity] ?? 0; fact < end; fact++) {
      count = this.#edge(count, facts.object[fact] ?? 0, this.#relationWeight(fact))
    }
    end = this.#end(facts.incoming.offsets, entity)
    for (let at = facts.incoming.offsets[entity] ?? 0; at < end; at++) {
      const fact = facts.incoming.items[at] ?? 0
      count = this.#edge(count, facts.subject[fact] ?? 0, this.#relationWeight(fact))
    }
    return count
  }

  #collectOfPassage(node: number): number {
    const { entities, passages, mentions } = this.#index
    const passage = node - entities.size
    let count = this.#edge(0, passages.entity[passage] ?? 0, BACK_WEIGHT)
    const end = this.#end(mentions.offsets, passage)
    for (let mention = mentions.offsets[passage] ?? 0; mention < end; mention++) {
      count = this.#edge(count, mentions.entity[mention] ?? 0, this.#mentionWeight(mention, passage))
    }
    return count
  }

  /** The end of a group's edges, limited to `MAX_EDGES_OF_NODE`. */
  #end(offsets: Uint32Array, group: number): number {
    return Math.min(offsets[group + 1] ?? 0, (offsets[group] ?? 0) + MAX_EDGES_OF_NODE)
  }

  #edge(count: number, target: number, weight: number): number {
    this.#targets[count] = target
    this.#weights[count] = weight
    return count + 1
  }

  #mentionWeight(mention: number, passage: number): number {
    const weight = MENTION_WEIGHT * (1 + (this.#reads ? this.#match.ofMention(mention, passage) : 0))
    return weight / sharedBy(this.#index.mentions, mention)
  }

  #relationWeight(fact: number): number {
    if (!this.#reads) return RELATION_WEIGHT
    return RELATION_WEIGHT * (1 + this.#match.ofPredicate(this.#index.facts.predicate[fact] ?? 0))
  }
}
