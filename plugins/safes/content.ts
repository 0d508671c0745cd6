import { byteLengthOf, fromBuffers } from '../../graph/buffers.js'
import { evaluate, type GraphQuestion } from '../../graph/evaluate.js'
import type { Ranking } from '../../graph/ranking.js'
import type { SharedIndex } from './snapshot.js'
import type { Layers } from './store.js'

/** What questions of a Safe are answered from: the index of these imports. */
export interface Content {
  layers: Layers
  /** Memory it takes here. */
  bytes: number
  rank(question: GraphQuestion): Ranking | Promise<Ranking>
}

/** Answers from an index in this thread's memory. */
export function contentOf(layers: Layers, { layout, bytes }: SharedIndex): Content {
  const index = fromBuffers(layout, bytes)
  if (!index) throw new Error('An index arrived damaged.')
  return { layers, bytes: byteLengthOf(index), rank: question => evaluate(index, question) }
}
