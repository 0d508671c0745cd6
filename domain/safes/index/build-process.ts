import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Layout } from '../../../engine/graph/index.js'
import { type ChildLimits, ranOutOfMemory } from '../../../platform/common/child.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { machineMemory } from '../../../platform/common/machine-memory.js'
import { Unavailable } from '../../../platform/common/unavailable.js'
import type { DatabaseLocation } from '../../../platform/storage/database.js'
import { safeErrors } from '../errors.js'
import type { ImportRange } from '../stores/types.js'
import type { FromBuilder, ToBuilder } from './build-messages.js'
import type { SharedIndex } from './snapshot-header.js'
import { Watchdog } from './watchdog.js'

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
 * The process that builds indexes (`build-worker.ts`), started on demand, for one job at a time. A Safe that needs more
 * memory than it may use ends this process and nothing else.
 */
export class BuildProcess implements IndexBuilds {
  readonly #place: DatabaseLocation
  readonly #limits: ChildLimits
  readonly #start: (limits: ChildLimits) => ChildProcess
  #child: ChildProcess | null = null

  constructor(place: DatabaseLocation, start: (limits: ChildLimits) => ChildProcess, limits = buildLimits()) {
    this.#place = place
    this.#start = start
    this.#limits = limits
  }

  async build(safeId: string, ranges: readonly ImportRange[], pendingImport?: number): Promise<SharedIndex> {
    const pending = pendingImport === undefined ? {} : { pendingImport }
    const index = await this.#run({ kind: 'build', safeId, ranges, ...pending })
    if (!index) throw new Error('The process that builds indexes sent none.')
    return index
  }

  async prepare(safeId: string): Promise<void> {
    await this.#run({ kind: 'prepare', safeId })
  }

  /** Resolves when the process has ended: before that, its parent must not. */
  async end(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  #run(job: Exclude<ToBuilder, { kind: 'open' }>): Promise<SharedIndex | null> {
    const isStarting = this.#child === null
    const child = this.#running()
    let index: { layout: Layout; bytes: Uint8Array } | null = null
    let at = 0
    return new Promise<SharedIndex | null>((resolve, reject) => {
      const watchdog = new Watchdog(SILENT_MS, () => fail(this.#failed(job.safeId, 'took too long')))
      const stop = () => {
        watchdog.stop()
        child.off('message', onMessage).off('exit', onExit)
      }
      const fail = (error: unknown) => {
        stop()
        reject(error)
      }
      const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
        fail(ranOutOfMemory(code, signal) ? this.#tooLarge() : this.#failed(job.safeId, 'ended its process'))
      const onMessage = (received: unknown) => {
        watchdog.reset()
        const message = received as FromBuilder
        if (message.kind === 'layout') {
          const { layout } = message
          index = { layout, bytes: new Uint8Array(new SharedArrayBuffer(layout.byteLength)) }
        } else if (message.kind === 'bytes') {
          index?.bytes.set(message.bytes, at)
          at += message.bytes.length
        } else if (message.kind === 'done') {
          stop()
          resolve(index)
        } else if (message.kind === 'failed') {
          fail(message.message === null ? notFound('Safe') : new Error(message.message))
        }
      }
      child.on('message', onMessage).on('exit', onExit)
      watchdog.start(isStarting)
      child.send(job, () => {})
    })
  }

  #running(): ChildProcess {
    if (this.#child) return this.#child
    const child = this.#start(this.#limits)
    child
      .on('error', () => {})
      .on('exit', () => {
        if (this.#child === child) this.#child = null
      })
    child.send({ kind: 'open', place: this.#place } satisfies ToBuilder, () => {})
    this.#child = child
    return child
  }

  #tooLarge(): Error {
    this.#child = null
    return safeErrors.tooLarge(this.#limits.memoryMb)
  }

  #failed(safeId: string, how: string): Unavailable {
    void this.end()
    return new Unavailable(`Building the index of Safe ${safeId} ${how}.`)
  }
}
