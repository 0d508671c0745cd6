import type { RowRange } from '../retrieval/part.js'
import type { Mode, PageRange } from '../retrieval/ranking.js'
import type { TimeRange } from '../retrieval/time-range.js'
import type { Step } from './walk.js'

/** A question to an index (GRAPH §5). Plain data that threads can exchange. */
export interface GraphQuestion extends PageRange, Omit<TimeRange, 'part'> {
  /** Limits the question to a part of the Safe: statements of rows that are in each of these lists. */
  within?: readonly (readonly RowRange[])[]
  /** Default `auto`. */
  mode?: Mode | 'auto'
  /** Words; may be empty or absent when other fields define the question. */
  query?: string
  /** Names. */
  entities?: readonly string[]
  from?: string
  to?: string
  steps?: readonly Step[]
  /** Maximum relations of a path, at most 4. */
  depth?: number
  types?: readonly string[]
  /** Phrases, for searches only. */
  otherWords?: readonly string[]
}
