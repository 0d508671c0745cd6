import type { Layout } from '../../../engine/graph/index.js'
import { DomainError } from '../../../platform/common/domain-error.js'
import { Unavailable } from '../../../platform/common/unavailable.js'
import { type ChildLimits, machineMemory, startChild } from '../../../platform/processes/child.js'
import { Lost, Pool } from '../../../platform/processes/pool.js'
import type { DatabaseLocation } from '../../../platform/storage/database.js'
import { safeErrors } from '../errors.js'
import type { BuildIndex } from './complete-index.js'

/** Maximum memory of an index build, including buffers outside the heap, and its share of a small machine. */
const MAX_MB = 1536
const PART_OF_MACHINE = 0.6

/** Maximum memory of an index build on a machine with this many bytes of memory. */
export function buildLimits(memory = machineMemory()): ChildLimits {
  const memoryMb = Math.floor(Math.min(MAX_MB, (memory * PART_OF_MACHINE) / 1024 ** 2))
  return { heapMb: Math.floor((memoryMb * 2) / 3), memoryMb }
}

const SILENT_MS = 15_000

const startBuilding = (limits: ChildLimits) => startChild('build-worker', import.meta.url, limits)

/** A job of the process that builds indexes: first the layout of the index, then its bytes in pieces. */
export interface Building {
  /** `place`: where the rows are, always the same. */
  job: { place: DatabaseLocation; safeId: string; pendingImport?: number | undefined }
  piece: Layout | Uint8Array
}

/**
 * The process that builds indexes (`build-worker.ts`), for one job at a time. If a Safe needs more memory than allowed, only
 * this process ends. `build` throws notFound; DomainError `safe_too_large`; Unavailable when the process hung or died
 * because of it.
 */
export function buildProcess(place: DatabaseLocation, start = startBuilding, limits = buildLimits()) {
  const pool = new Pool<Building>({ start: () => start(limits), silentMs: SILENT_MS, errors: [DomainError] })
  const build: BuildIndex = async (safeId, pendingImport) => {
    const pieces = pool.run({ place, safeId, pendingImport })
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
      if (error instanceof Lost && error.how === 'memory') throw safeErrors.tooLarge(limits.memoryMb)
      throw buildingFailed(error, safeId)
    }
  }
  return { build, end: () => pool.end() }
}

/** The error of a job for the index of a Safe, with a sentence if its process or thread was lost. */
export const buildingFailed = (error: unknown, safeId: string): unknown =>
  error instanceof Lost
    ? new Unavailable(`Building the index of Safe ${safeId} ${error.what}.`, { cause: error })
    : error
