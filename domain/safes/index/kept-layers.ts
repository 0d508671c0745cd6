import { LRUCache } from 'lru-cache'
import { Layers, Pause } from '../../../engine/graph/index.js'
import type { ContentStore } from '../stores/content.sql.js'
import { rangesOf } from '../stores/ranges.js'
import type { VisibleLayers } from '../stores/types.js'

/**
 * Maximum memory for the rows of all Safes together. A Safe that does not fit is read again each time its index is
 * built.
 */
const MAX_BYTES = 256 * 1024 * 1024
/** A Safe is read again when this many of its strings must belong to rows that no longer exist. */
const MAX_STRINGS = (atFirst: number) => 2 * atFirst + 100_000

interface KeptLayer {
  layers: Layers
  /** The imports and versions of files that have been read. */
  ids: ReadonlySet<number>
  mergedThrough: number
  /** The statements that owners had removed from them (ADR 45). */
  removed: string
  stringsAtFirst: number
}

/**
 * The rows of recent indexes, so that the next index of the same Safe reads only new ones (ADR
 * 54). The result equals that of reading everything.
 */
export class KeptLayers {
  readonly #contents: Pick<ContentStore, 'source' | 'removed'>
  readonly #kept: LRUCache<string, KeptLayer>

  constructor(contents: Pick<ContentStore, 'source' | 'removed'>, maxBytes = MAX_BYTES) {
    this.#contents = contents
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ layers }) => layers.byteLength })
  }

  /** Bytes of memory. */
  get byteLength(): number {
    return this.#kept.calculatedSize
  }

  /** The visible rows: known ones, and the others from the database. */
  async read(safeId: string, visible: VisibleLayers): Promise<Layers> {
    const { version: removed } = await this.#contents.removed(safeId)
    const { layers, ids: known, stringsAtFirst } = this.#take(safeId, visible, removed)
    const ids = new Set(visible.ids)
    layers.keep(id => ids.has(id))
    const missing = visible.ids.filter(id => !known.has(id))
    await layers.read(this.#contents.source(safeId, rangesOf(missing)), new Pause())
    const { mergedThrough } = visible
    const atFirst = stringsAtFirst || layers.strings
    this.#kept.set(safeId, { layers, ids, mergedThrough, removed, stringsAtFirst: atFirst })
    return layers
  }

  /** Takes the rows out: if reading fails, they are incomplete. */
  #take(safeId: string, { mergedThrough }: VisibleLayers, removed: string): KeptLayer {
    const kept = this.#kept.peek(safeId)
    this.#kept.delete(safeId)
    const isUsable =
      kept?.mergedThrough === mergedThrough &&
      kept.removed === removed &&
      kept.layers.strings <= MAX_STRINGS(kept.stringsAtFirst)
    return isUsable
      ? kept
      : { layers: new Layers(), ids: new Set(), mergedThrough, removed, stringsAtFirst: 0 }
  }
}
