import { byteLengthOf, fromBuffers } from '../../graph/index/buffers.js'
import { evaluate } from '../../graph/modes/evaluate.js'
import type { GraphQuestion } from '../../graph/modes/question.js'
import { namingImports, type Ranking } from '../../graph/retrieval/ranking.js'
import type { CommittedImports } from '../stores/types.js'
import type { SharedIndex } from './snapshot.js'

/** A ranking, and where the names of its entities are told: key → import. Plain data: threads hand it over. */
export interface Ranked {
  ranking: Ranking
  naming: Map<string, number>
}

/** What questions of a Safe are answered from: the index of these imports. */
export interface Content {
  committed: CommittedImports
  /** Memory it takes here. */
  bytes: number
  rank(question: GraphQuestion): Ranked | Promise<Ranked>
}

/** Answers from an index in this thread's memory. */
export function contentOf(committed: CommittedImports, { layout, bytes }: SharedIndex): Content {
  const index = fromBuffers(layout, bytes)
  if (!index) throw new Error('An index arrived damaged.')
  const rank = (question: GraphQuestion) => {
    const ranking = evaluate(index, question)
    return { ranking, naming: namingImports(index, ranking) }
  }
  return { committed, bytes: byteLengthOf(index), rank }
}
