import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Content } from './content.js'

/**
 * How long questions wait for the newest index, from the first that asks for it, before an older one answers them. All
 * but large Safes are read by then, so what another process imported is told with the first question after it.
 */
const PATIENCE_MS = 500

/** A version that is being opened. */
interface Flight {
  opening: Promise<Content>
  /** Over when nobody waits any more who has an older version. */
  patience: Promise<void>
}

/**
 * Contents of Safes in memory: opened when first asked for, once however many ask, and the least recently asked leave
 * when all together take too much. While a new version is opened the one before it answers. A failure is not
 * remembered.
 */
export class IndexCache {
  readonly #open: (safeId: string) => Promise<Content>
  readonly #kept: LRUCache<string, Content>
  readonly #opening = new Map<string, Flight>()

  constructor(open: (safeId: string) => Promise<Content>, maxBytes: number) {
    this.#open = open
    // Larger than all the room there is, it is kept alone; nothing may weigh 0.
    const sizeCalculation = ({ bytes }: Content) => Math.min(Math.max(bytes, 1), maxBytes)
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation })
  }

  get bytes(): number {
    return this.#kept.calculatedSize
  }

  /** The content of this Safe at `version`: a newer one if it changed meanwhile, an older one if that takes long. */
  async get(safeId: string, version: number): Promise<Content> {
    const kept = this.#kept.get(safeId)
    if (kept && kept.committed.version >= version) return kept
    const flight = `${safeId} ${version}`
    const { opening, patience } = this.#opening.get(flight) ?? this.#start(flight, safeId)
    return kept ? Promise.race([opening, patience.then(() => kept)]) : opening
  }

  /** As `get`, but never an older one, however long that takes. */
  async newest(safeId: string, version: number): Promise<Content> {
    const kept = this.#kept.peek(safeId)
    if (kept && kept.committed.version >= version) return kept
    const flight = `${safeId} ${version}`
    return (this.#opening.get(flight) ?? this.#start(flight, safeId)).opening
  }

  /** Takes what was opened before anybody asked, if it is not older than what is kept. */
  keep(safeId: string, content: Content): void {
    const kept = this.#kept.peek(safeId)
    if (kept && kept.committed.version > content.committed.version) return
    this.#kept.set(safeId, content)
  }

  /** Forgets a Safe that is no more. */
  drop(safeId: string): void {
    this.#kept.delete(safeId)
  }

  #start(name: string, safeId: string): Flight {
    const opening = this.#open(safeId)
      .then(content => {
        this.keep(safeId, content)
        return content
      })
      .finally(() => this.#opening.delete(name))
    // Whoever was answered by an older one does not wait for this; the next question tries again.
    opening.catch(() => {})
    const flight = { opening, patience: sleep(PATIENCE_MS) }
    this.#opening.set(name, flight)
    return flight
  }
}
