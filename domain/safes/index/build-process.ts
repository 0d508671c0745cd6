import type { ChildProcess } from 'node:child_process'
import { notFound } from '../../../platform/common/domain-error.js'
import { machineMemory } from '../../../platform/common/machine-memory.js'
import { Unavailable } from '../../../platform/common/unavailable.js'
import type { ChildLimits } from '../../../platform/processes/child.js'
import { Pool } from '../../../platform/processes/pool.js'
import { Lost } from '../../../platform/processes/talk.js'
import type { DatabaseLocation } from '../../../platform/storage/database.js'
import { safeErrors } from '../errors.js'
import type { ImportRange } from '../stores/types.js'
import type { FromBuilder, ToBuilder } from './build-messages.js'
import type { SharedIndex } from './snapshot-header.js'

/** The most that building an index may use, buffers outside the heap as well, and the part of a small machine. */
const MOST_MB = 1536
const PART_OF_MACHINE = 0.6

/** What building an index may use on a machine with so many bytes of memory. */
export function buildLimits(memory = machineMemory()): ChildLimits {
  const memoryMb = Math.floor(Math.min(MOST_MB, (memory * PART_OF_MACHINE) / 1024 ** 2))
  return { heapMb: Math.floor((memoryMb * 2) / 3), memoryMb }
}

const SILENT_MS = 15_000

/** Where indexes are built. */
export interface IndexBuilds {
  /** @throws notFound; DomainError `safe_too_large`; Unavailable when the process hung or died because of it */
  build(safeId: string, ranges: readonly ImportRange[], pendingImport?: number): Promise<SharedIndex>
  /** Reads the rows that the next index is built from. Throws like `build`. */
  prepare(safeId: string): Promise<void>
}

/**
 * The process that builds indexes (`build-worker.ts`), for one job at a time. A Safe that needs more memory than it may use
 * ends this process and nothing else.
 */
export class BuildProcess implements IndexBuilds {
  readonly #place: DatabaseLocation
  readonly #limits: ChildLimits
  readonly #pool: Pool<ToBuilder, FromBuilder>

  constructor(place: DatabaseLocation, start: (limits: ChildLimits) => ChildProcess, limits = buildLimits()) {
    this.#place = place
    this.#limits = limits
    this.#pool = new Pool({ start: () => start(limits), silentMs: SILENT_MS })
  }

  async build(safeId: string, ranges: readonly ImportRange[], pendingImport?: number): Promise<SharedIndex> {
    const index = await this.#run({ place: this.#place, kind: 'build', safeId, ranges, pendingImport })
    if (!index) throw new Error('The process that builds indexes sent none.')
    return index
  }

  async prepare(safeId: string): Promise<void> {
    await this.#run({ place: this.#place, kind: 'prepare', safeId })
  }

  /** Resolves when the process has ended. */
  end(): Promise<void> {
    return this.#pool.end()
  }

  async #run(job: ToBuilder): Promise<SharedIndex | null> {
    const talk = this.#pool.begin()
    let isDone = false
    let index: SharedIndex | null = null
    let at = 0
    try {
      talk.send(job)
      for (;;) {
        const message = await talk.next().catch(error => this.#fail(error, job.safeId))
        if (message.kind === 'layout') {
          const { layout } = message
          index = { layout, bytes: new Uint8Array(new SharedArrayBuffer(layout.byteLength)) }
        } else if (message.kind === 'bytes') {
          index?.bytes.set(message.bytes, at)
          at += message.bytes.length
        } else {
          isDone = true
          if (message.kind === 'done') return index
          throw message.message === null ? notFound('Safe') : new Error(message.message)
        }
      }
    } finally {
      talk.end(isDone)
    }
  }

  #fail(error: unknown, safeId: string): never {
    const how = error instanceof Lost ? error.how : 'error'
    if (how === 'memory') throw safeErrors.tooLarge(this.#limits.memoryMb)
    const what = how === 'silent' ? 'took too long' : 'ended its process'
    throw new Unavailable(`Building the index of Safe ${safeId} ${what}.`, { cause: error })
  }
}
