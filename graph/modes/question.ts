import type { Mode } from '../retrieval/ranking.js'
import type { TimeRange } from '../retrieval/time-range.js'
import type { PageRange } from './exact-modes.js'
import type { Step } from './walk.js'

/** All that can be asked of an index (GRAPH §5). Plain data: threads hand it over. */
export interface GraphQuestion extends PageRange, TimeRange {
  /** `auto` when absent. */
  mode?: Mode | 'auto'
  /** Words; empty or absent when other fields say what to do. */
  query?: string
  /** Names. */
  entities?: readonly string[]
  from?: string
  to?: string
  steps?: readonly Step[]
  /** Relations of the longest path, at most 4. */
  depth?: number
  types?: readonly string[]
  /** Phrases; of a search only. */
  otherWords?: readonly string[]
}
