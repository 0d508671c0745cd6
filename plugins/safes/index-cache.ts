import { setTimeout as sleep } from 'node:timers/promises'
import type { Content } from './content.js'

/** How long a question waits for the newest index before an older one answers it: a small Safe is read by then. */
const PATIENCE_MS = 20

/**
 * Contents of Safes in memory: opened when first asked for, once however many ask, and the least recently asked leave
 * when all together take too much. While a new version is opened the one before it answers. A failure is not
 * remembered.
 */
export class IndexCache {
  readonly #open: (safeId: string) => Promise<Content>
  readonly #maxBytes: number
  /** In order of use, the latest last. */
  readonly #kept = new Map<string, Content>()
  readonly #opening = new Map<string, Promise<Content>>()
  #bytes = 0

  constructor(open: (safeId: string) => Promise<Content>, maxBytes: number) {
    this.#open = open
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The content of this Safe at `version`: a newer one if it changed meanwhile, an older one if that takes long. */
  async get(safeId: string, version: number): Promise<Content> {
    const kept = this.#kept.get(safeId)
    if (kept && kept.layers.version >= version) {
      this.#kept.delete(safeId)
      this.#kept.set(safeId, kept)
      return kept
    }
    const flight = `${safeId} ${version}`
    const opening = this.#opening.get(flight) ?? this.#start(flight, safeId)
    if (!kept) return opening
    return Promise.race([opening, sleep(PATIENCE_MS, kept)])
  }

  /** Takes what was opened before anybody asked, if it is not older than what is kept. */
  keep(safeId: string, content: Content): void {
    const kept = this.#kept.get(safeId)
    if (kept && kept.layers.version > content.layers.version) return
    this.drop(safeId)
    this.#kept.set(safeId, content)
    this.#bytes += content.bytes
    for (const other of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes || other === safeId) break
      this.drop(other)
    }
  }

  /** Forgets a Safe that is no more. */
  drop(safeId: string): void {
    this.#bytes -= this.#kept.get(safeId)?.bytes ?? 0
    this.#kept.delete(safeId)
  }

  #start(flight: string, safeId: string): Promise<Content> {
    const opening = this.#open(safeId)
      .then(content => {
        this.keep(safeId, content)
        return content
      })
      .finally(() => this.#opening.delete(flight))
    this.#opening.set(flight, opening)
    // Whoever was answered by an older one does not wait for this; the next question tries again.
    opening.catch(() => {})
    return opening
  }
}
