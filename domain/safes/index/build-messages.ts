import type { Layout } from '../../../engine/graph/index.js'
import type { DatabaseLocation } from '../../../platform/storage/database.js'
import type { ImportRange } from '../stores/types.js'

/** A job of the process that builds indexes. `place`: where the rows are, always the same. */
export type ToBuilder = { place: DatabaseLocation; safeId: string } & (
  | { kind: 'build'; ranges: readonly ImportRange[]; pendingImport?: number | undefined }
  /** Only to read the rows that the next index is built from. */
  | { kind: 'prepare' }
)

export type FromBuilder =
  /** The index follows in pieces. */
  | { kind: 'layout'; layout: Layout }
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'done' }
  /** Null: the Safe does not exist. */
  | { kind: 'failed'; message: string | null }
