import { passageOf, type SafeIndex, sharedBy } from './safe-index.js'
import { Scratch } from './scratch.js'

/** Chance of beginning anew at a seed. */
const restart = 0.15
/** Mass per edge, however heavy, below which a node is left alone: some 300 pushes a question, in a Safe of any size. */
const epsilon = 5e-4
/** Hard caps: nodes pushed, edges followed in all, edges followed from one node. */
const maxPushes = 1_000
const maxEdges = 2_500
const maxEdgesOfNode = 300

/** How much a question follows the edge between an entity and a passage about it, a mention, a relation (GRAPH §2). */
const aboutWeight = 30
const mentionWeight = 1
const relationWeight = 0.3

/** How well the text at an edge answers the question; 0 = not at all. */
export interface EdgeMatch {
  ofMention(mention: number, passage: number): number
  ofPredicate(predicate: number): number
}

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
 * the rest to its neighbours, edge by weight × (1 + match), until no node has more than `epsilon` per edge waiting. The
 * cost depends on `epsilon` and the caps, not on the size of the Safe.
 */
export function forwardPush(index: SafeIndex, seeds: ReadonlyMap<number, number>, match: EdgeMatch): Mass {
  const push = new Push(index, match)
  try {
    for (const [node, mass] of seeds) push.receive(node, mass, true)
    push.run()
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
  #edges = 0
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
    // Every node has an edge: most are told here from those to push, without looking up how many.
    if (now <= epsilon && !isSeed) return
    const least = epsilon * (this.#index.degrees[node] ?? 0)
    if (isSeed || (now > least && before <= least)) this.#queue.push(node)
  }

  run(): void {
    for (let at = 0; at < this.#queue.length && at < maxPushes && this.#edges < maxEdges; at++) {
      const node = this.#queue[at] ?? 0
      const waiting = this.#state[2 * node] ?? 0
      if (waiting > 0) this.#push(node, waiting)
    }
  }

  /** What every node touched has got. */
  result(): Mass {
    const found: Mass = { nodes: [], values: [] }
    const state = this.#state
    for (const node of this.#touched) {
      const mass = (state[2 * node + 1] ?? 0) + restart * (state[2 * node] ?? 0)
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
    let count = this.#edge(0, passages.entity[passage] ?? 0, aboutWeight)
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
