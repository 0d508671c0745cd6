import {
  type Browsed,
  type BrowseKind,
  type BrowseQuery,
  browse,
  byteLengthOf,
  evaluate,
  fromBuffers,
  type GraphQuestion,
  type MergedKey,
  mergedOf,
  namingImports,
  type Ranking,
  type SafeIndex,
  type Workspace,
} from '../../../engine/graph/index.js'
import type { CommittedImports } from '../stores/types.js'
import type { SharedIndex } from './snapshot-header.js'

/** A ranking, and the import that names each of its entities (key → import). Plain data for messages between threads. */
export interface Ranked {
  ranking: Ranking
  naming: Map<string, number>
  /** Names merged into entities of the answer (ADR 56), by their keys. */
  merged: Map<string, MergedKey[]>
}

/** The index that answers questions about a Safe, and its imports. `accountId`: the asking account. */
export interface SafeContent {
  committed: CommittedImports
  /** Memory used in this thread. */
  bytes: number
  /** The index, if it is in memory. */
  index?: SharedIndex
  rank(question: GraphQuestion, accountId?: string): Ranked | Promise<Ranked>
  /** The content of a page. */
  browse<Kind extends BrowseKind>(
    asked: BrowseQuery<Kind>,
    accountId?: string,
  ): Browsed<Kind> | Promise<Browsed<Kind>>
}

/** Answers from an index in this thread's memory; the thread's indexes share one workspace. */
export function contentOf(
  committed: CommittedImports,
  shared: SharedIndex,
  workspace: Workspace,
): SafeContent {
  const index = indexOf(shared, workspace)
  const rank = (question: GraphQuestion) => {
    const ranking = evaluate(index, question)
    return { ranking, naming: namingImports(index, ranking), merged: mergedOf(index, ranking) }
  }
  const bytes = byteLengthOf(index)
  return { committed, bytes, index: shared, rank, browse: asked => browse(index, asked) }
}

/** The index in shared memory. @throws Error when it is damaged */
export function indexOf({ layout, bytes }: SharedIndex, workspace: Workspace): SafeIndex {
  const index = fromBuffers(layout, bytes, workspace)
  if (!index) throw new Error('The index is damaged.')
  return index
}
