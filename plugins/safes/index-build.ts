import { byteLengthOf } from '../../graph/buffers.js'
import { buildIndex, type SafeIndex } from '../../graph/safe-index.js'
import { notFound } from '../domain-error.js'
import type { Built } from './index-cache.js'
import type { ContentStore } from './store.js'

/** A Safe's index, and the imports it was built from. */
export interface Content {
  index: SafeIndex
  importIds: readonly number[]
  /** Import → where it came from. */
  sources: ReadonlyMap<number, string>
}

/** Times a build begins anew because the Safe changed under it; after that it serves what it has. */
const ATTEMPTS = 3

/**
 * Builds the index of a Safe's committed imports. An undo meanwhile takes rows away that belong to it, so a Safe that
 * has changed is read again.
 */
export async function buildContent(contents: ContentStore, safeId: string): Promise<Built<Content>> {
  for (let attempt = 1; ; attempt++) {
    const layers = await contents.layers(safeId)
    if (!layers) throw notFound('Safe')
    const { version, sources } = layers
    const importIds = [...sources.keys()]
    const index = await buildIndex(contents.source(safeId, importIds))
    const now = await contents.layers(safeId)
    if (now?.version === version || attempt === ATTEMPTS) {
      return { version, index: { index, importIds, sources }, bytes: byteLengthOf(index) }
    }
  }
}
