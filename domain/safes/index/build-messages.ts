import type { Layout } from '../../../engine/graph/index.js'
import type { DatabaseLocation } from '../../../platform/storage/database.js'
import type { ImportRange } from '../stores/types.js'

/** Jobs of the process that builds indexes. The first message says where the rows are. */
export type ToBuilder =
  | { kind: 'open'; place: DatabaseLocation }
  /** `ranges`: of the committed imports; `pendingImport`: one that is about to be committed. */
  | { kind: 'build'; safeId: string; ranges: readonly ImportRange[]; pendingImport?: number }
  /** Only to read the rows that the next index is built from. */
  | { kind: 'prepare'; safeId: string }

export type FromBuilder =
  /** The index follows in pieces. */
  | { kind: 'layout'; layout: Layout }
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'done' }
  /** Null: the Safe does not exist. */
  | { kind: 'failed'; message: string | null }
  /** Sent on a timer, which a hung process does not run. */
  | { kind: 'alive' }
