import { indexOf } from '../../../engine/graph/index.js'
import { notFound } from '../../../platform/common/domain-error.js'
import type { ContentStore } from '../stores/content.sql.js'
import type { ImportRange, VisibleLayers } from '../stores/types.js'
import type { IndexBuilds } from './build-process.js'
import { builtFrom } from './changes-since.js'
import { KeptLayers } from './kept-layers.js'
import { shared } from './snapshot.js'
import type { SharedIndex } from './snapshot-header.js'

/** Builds indexes in this thread, whatever their size. */
export class BuildsHere implements IndexBuilds {
  readonly #contents: ContentStore
  readonly #layers: KeptLayers

  constructor(contents: ContentStore) {
    this.#contents = contents
    this.#layers = new KeptLayers(contents)
  }

  async build(safeId: string, ranges: readonly ImportRange[], pendingImport?: number): Promise<SharedIndex> {
    const visible = await this.#visible(safeId, pendingImport)
    const built = await builtFrom(this.#contents, safeId, visible)
    const rows = await this.#layers.read(safeId, visible)
    const index = await indexOf(rows, await this.#contents.succession(safeId, ranges))
    return shared({ ...index, built: { ...index.built, ...built } })
  }

  async prepare(safeId: string): Promise<void> {
    await this.#layers.prepare(safeId, await this.#visible(safeId))
  }

  async #visible(safeId: string, pendingImport?: number): Promise<VisibleLayers> {
    const visible = await this.#contents.visibleLayers(safeId, pendingImport)
    if (!visible) throw notFound('Safe')
    return visible
  }
}
