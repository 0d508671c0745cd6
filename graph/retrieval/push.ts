import { Scratch } from '../collections/scratch.js'
import { type Scored, Top } from '../collections/top.js'
import { passageOf, type SafeIndex, sharedBy } from '../index/safe-index.js'

/** Chance of beginning anew at a seed. */
const restart = 0.15
/** Hard limits of a round. */
interface Round {
  /** Mass per edge, however heavy, below which a node is left alone. */
  epsilon: number
  pushes: number
  /** Edges followed in all. */
  edges: number
}
/** Some 200 pushes a question, in a Safe of any size; a finer one (5e-4) costs a quarter more and finds no more. */
const firstRound: Round = { epsilon: 7e-4, pushes: 1_000, edges: 1_500 }
/** What the second adds is found by its first steps: a finer one costs half as much as the first and finds no more. */
const secondRound: Round = { epsilon: 1e-3, pushes: 500, edges: 600 }
/** Edges followed from one node. */
const maxEdgesOfNode = 300

/** How much a question follows an edge: from an entity to a passage about it, back, a mention, a relation (GRAPH §3.5). */
const aboutWeight = 100
const backWeight = 10
const mentionWeight = 1
const relationWeight = 0.3

/** How well the text at an edge answers the question; 0 = not at all. */
export interface EdgeMatch {
  ofMention(mention: number, passage: number): number
  ofPredicate(predicate: number): number
}

/** What a second round begins with: the entities that the best passages of the first mention. */
export interface Hop {
  /** How much more a passage counts than its mass. */
  factorOf(passage: number): number
  /** What the question names itself. */
  isLinked(entity: number): boolean
}

/** Passages that a second round begins with, and the mass that it brings in all (GRAPH §3.6). */
const hopPassages = 3
const hopMass = 0.25

/** Mass below which it does not matter to a node's neighbours how well its edges answer: then it is not looked up. */
const leastRead = 0.02
/** Mass below which a node is not told of. */
const leastMass = 1e-6

/** The edges of the node that is being pushed: where to, and their weights. */
const targets = new Uint32Array(4 * maxEdgesOfNode + 1)
const weights = new Float64Array(targets.length)

/** Nodes and what each has got. Nodes are entities, and behind them passages: passage p is node `entities.size + p`. */
export interface Mass {
  nodes: number[]
  values: number[]
}

/** Of each node what waits at it, then what it has got: side by side, because both are needed at once. */
const states = new Scratch()

/**
 * Personalized PageRank of the nodes around the seeds, approximated by forward push (Andersen, Chung and Lang 2006,
 * "Local graph partitioning using PageRank vectors"): a node keeps `restart` of the mass that waits at it and hands
 * the rest to its neighbours, edge by weight × (1 + match), until no node has more than epsilon per edge waiting. The
 * cost depends on epsilon and the caps, not on the size of the Safe. With a `hop` it goes on from what the best passages
 * mention.
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
      push.begin(secondRound)
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
  readonly #state: Float32Array
  readonly #touched: number[] = []
  readonly #queue: number[] = []
  #at = 0
  #edges = 0
  #round = firstRound
  /** Whether the match of edges is looked up for the node that is being pushed. */
  #reads = true

  constructor(index: SafeIndex, match: EdgeMatch) {
    this.#index = index
    this.#match = match
    this.#state = states.take(2 * (index.entities.size + index.passages.count))
  }

  receive(node: number, mass: number, isSeed: boolean): void {
    const state = this.#state
    const before = state[2 * node] ?? 0
    const now = before + mass
    state[2 * node] = now
    if (before === 0 && state[2 * node + 1] === 0) this.#touched.push(node)
    const { epsilon } = this.#round
    // Every node has an edge: most are told here from those to push, without looking up how many.
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

  begin(round: Round): void {
    this.#round = round
  }

  /** Adds mass where the entities are that the best passages mention, by how well the words around them match. */
  seed(hop: Hop): void {
    const best = this.#bestPassages(hop)
    const total = best.reduce((sum, { score }) => sum + score, 0)
    for (const { id, score } of best) {
      const worths = this.#worthsIn(id, hop)
      let sum = 0
      for (const worth of worths.values()) sum += worth
      for (const [entity, worth] of worths)
        this.receive(entity, (hopMass * score * worth) / total / sum, false)
    }
  }

  #bestPassages({ factorOf }: Hop): Scored[] {
    const first = this.#index.entities.size
    const top = new Top(hopPassages)
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

  /** What a node has got. */
  #massOf(node: number): number {
    return (this.#state[2 * node + 1] ?? 0) + restart * (this.#state[2 * node] ?? 0)
  }

  /** What every node touched has got. */
  result(): Mass {
    const found: Mass = { nodes: [], values: [] }
    for (const node of this.#touched) {
      const mass = this.#massOf(node)
      if (mass > leastMass) {
        found.nodes.push(node)
        found.values.push(mass)
      }
    }
    return found
  }

  /** Puts the zeros back: the next question may be another Safe's. */
  clear(): void {
    for (const node of this.#touched) {
      this.#state[2 * node] = 0
      this.#state[2 * node + 1] = 0
    }
  }

  #push(node: number, waiting: number): void {
    this.#state[2 * node] = 0
    this.#reads = waiting >= leastRead
    const edges = this.#collect(node)
    let total = 0
    for (let at = 0; at < edges; at++) total += weights[at] ?? 0
    this.#state[2 * node + 1] = (this.#state[2 * node + 1] ?? 0) + (total > 0 ? restart : 1) * waiting
    this.#edges += edges
    const share = total > 0 ? ((1 - restart) * waiting) / total : 0
    for (let at = 0; at < edges; at++) this.receive(targets[at] ?? 0, share * (weights[at] ?? 0), false)
  }

  /** Fills `targets` and `weights` with the node's edges; returns how many there are. */
  #collect(node: number): number {
    return node < this.#index.entities.size ? this.#collectOfEntity(node) : this.#collectOfPassage(node)
  }

  /** Plain loops over places: a view of each group would cost more than its few items. */
  #collectOfEntity(entity: number): number {
    const { entities, passages, mentions, facts } = this.#index
    let count = 0
    let end = this.#end(passages.about.offsets, entity)
    for (let at = passages.about.offsets[entity] ?? 0; at < end; at++) {
      count = this.#edge(count, entities.size + (passages.about.items[at] ?? 0), aboutWeight)
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
    let count = this.#edge(0, passages.entity[passage] ?? 0, backWeight)
    const end = this.#end(mentions.offsets, passage)
    for (let mention = mentions.offsets[passage] ?? 0; mention < end; mention++) {
      count = this.#edge(count, mentions.entity[mention] ?? 0, this.#mentionWeight(mention, passage))
    }
    return count
  }

  /** Where the last edge that counts of a group ends. */
  #end(offsets: Uint32Array, group: number): number {
    return Math.min(offsets[group + 1] ?? 0, (offsets[group] ?? 0) + maxEdgesOfNode)
  }

  #edge(count: number, target: number, weight: number): number {
    targets[count] = target
    weights[count] = weight
    return count + 1
  }

  #mentionWeight(mention: number, passage: number): number {
    const weight = mentionWeight * (1 + (this.#reads ? this.#match.ofMention(mention, passage) : 0))
    return weight / sharedBy(this.#index.mentions, mention)
  }

  #relationWeight(fact: number): number {
    if (!this.#reads) return relationWeight
    return relationWeight * (1 + this.#match.ofPredicate(this.#index.facts.predicate[fact] ?? 0))
  }
}
