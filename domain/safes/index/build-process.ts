import type { ChildProcess } from 'node:child_process'
import type { Layout } from '../../../engine/graph/index.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { Unavailable } from '../../../platform/common/unavailable.js'
import type { ChildLimits } from '../../../platform/processes/child.js'
import { machineMemory } from '../../../platform/processes/machine-memory.js'
import type { Work } from '../../../platform/processes/messages.js'
import { Pool } from '../../../platform/processes/pool.js'
import { Lost } from '../../../platform/processes/talk.js'
import type { DatabaseLocation } from '../../../platform/storage/database.js'
import { safeErrors } from '../errors.js'
import type { SharedIndex } from './snapshot-header.js'

/** Maximum memory of an index build, including buffers outside the heap, and its share of a small machine. */
const MAX_MB = 1536
const PART_OF_MACHINE = 0.6

/** Maximum memory of an index build on a machine with this many bytes of memory. */
export function buildLimits(memory = machineMemory()): ChildLimits {
  const memoryMb = Math.floor(Math.min(MAX_MB, (memory * PART_OF_MACHINE) / 1024 ** 2))
  return { heapMb: Math.floor((memoryMb * 2) / 3), memoryMb }
}

const SILENT_MS = 15_000

/** A job of the process that builds indexes: first the layout of the index, then its bytes in pieces. */
export interface Building extends Work {
  /** `place`: where the rows are, always the same. */
  job: { place: DatabaseLocation; safeId: string; pendingImport?: number | undefined }
  piece: Layout | Uint8Array
}

/**
 * The process that builds indexes (`build-worker.ts`), for one job at a time. If a Safe needs more memory than allowed, only
 * this process ends.
 */
export class BuildProcess {
  readonly #place: DatabaseLocation
  readonly #limits: ChildLimits
  readonly #pool: Pool<Building>

  constructor(place: DatabaseLocation, start: (limits: ChildLimits) => ChildProcess, limits = buildLimits()) {
    this.#place = place
    this.#limits = limits
    this.#pool = new Pool({ start: () => start(limits), silentMs: SILENT_MS, errors: [DomainError] })
  }

  /** @throws notFound; DomainError `safe_too_large`; Unavailable when the process hung or died because of it */
  async build(safeId: string, pendingImport?: number): Promise<SharedIndex> {
    const pieces = this.#pool.run({ place: this.#place, safeId, pendingImport })
    try {
      const layout = (await pieces.next()).value as Layout
      const bytes = new Uint8Array(new SharedArrayBuffer(layout.byteLength))
      let at = 0
      for await (const piece of pieces as AsyncIterable<Uint8Array>) {
        bytes.set(piece, at)
        at += piece.length
      }
      return { layout, bytes }
    } catch (error) {
      throw this.#failureOf(error, safeId)
    }
  }

  /** Resolves when the process has ended. */
  end(): Promise<void> {
    return this.#pool.end()
  }

  #failureOf(error: unknown, safeId: string): unknown {
    if (!(error instanceof Lost)) return error
    if (error.how === 'memory') return safeErrors.tooLarge(this.#limits.memoryMb)
    const what = error.how === 'silent' ? 'took too long' : 'ended its process'
    return new Unavailable(`Building the index of Safe ${safeId} ${what}.`, { cause: error })
  }
}
