import { type FSWatcher, watch } from 'node:fs'
import { join, sep } from 'node:path'

/** Editors save in several steps: a change counts once nothing has changed for this time. */
const QUIET_MS = 100
/** Maximum delay, even if files change all the time. */
const LATEST_MS = 1_000
/** Interval for reading folders without a report of a change: network drives report none. */
const ANYWAY_MS = 60_000
/** The same if a folder cannot be watched, for example because the system has no more watches. */
const POLLED_MS = 5_000

/**
 * Reports changes in folders. It watches folders, one watch each: Node's recursive watch would
 * include skipped ones, such as `node_modules`, and watches every file.
 */
export class FolderWatch {
  readonly #watchers = new Map<string, FSWatcher>()
  #isPolling = false
  /** Paths that have changed since the last run; null: all may have. */
  #paths: Set<string> | null = null
  #completeAt = performance.now()
  #changedAt: number | null = null
  #timer: NodeJS.Timeout | undefined
  #wake: (() => void) | null = null

  /** Watches these folders and no others. Files in a new one may have changed before it was watched. */
  of(folders: readonly string[]): void {
    const wanted = new Set(folders)
    for (const [folder, watcher] of this.#watchers) {
      if (wanted.has(folder)) continue
      watcher.close()
      this.#watchers.delete(folder)
    }
    this.#isPolling = false
    for (const folder of wanted) {
      if (this.#watchers.has(folder)) continue
      this.#add(folder)
      this.#paths?.add(folder)
      this.#soon()
    }
  }

  /**
   * Resolves after the next change, with the paths that may have changed, or when the interval has passed: with null, so
   * that everything is read.
   */
  async changed(): Promise<ReadonlySet<string> | null> {
    const dueIn = this.#completeAt + ANYWAY_MS - performance.now()
    await new Promise<void>(resolve => {
      this.#wake = resolve
      if (this.#changedAt !== null) this.#soon()
      else this.#timer = setTimeout(resolve, this.#isPolling ? POLLED_MS : Math.max(0, dueIn))
    })
    clearTimeout(this.#timer)
    // A change does not wait until everything is read.
    const paths = this.#isPolling || this.#changedAt === null ? null : this.#paths
    if (!paths) this.#completeAt = performance.now()
    this.#paths = new Set()
    this.#wake = null
    this.#changedAt = null
    return paths
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #add(folder: string): void {
    try {
      const watcher = watch(folder, (_, name) => this.#at(folder, name))
      watcher.on('error', () => {
        this.#isPolling = true
        this.#soon()
      })
      this.#watchers.set(folder, watcher)
    } catch {
      this.#isPolling = true
    }
  }

  #at(folder: string, name: string | null): void {
    if (name === null) this.#paths = null
    else this.#paths?.add(join(folder, name))
    // A watched folder was replaced: its watch belongs to what was there before.
    for (const [watched, watcher] of name === null ? [] : this.#watchers) {
      if (!`${watched}${sep}`.startsWith(join(folder, name ?? '', sep))) continue
      watcher.close()
      this.#watchers.delete(watched)
    }
    this.#soon()
  }

  #soon(): void {
    const now = performance.now()
    this.#changedAt ??= now
    if (!this.#wake) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#wake, Math.max(0, Math.min(QUIET_MS, this.#changedAt + LATEST_MS - now)))
  }
}
