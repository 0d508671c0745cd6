import { indexOf, type SafeIndex } from '../../../engine/graph/index.js'
import { notFound } from '../../../platform/common/domain-error.js'
import type { ContentStore } from '../stores/content.sql.js'
import { rangesOf } from '../stores/ranges.js'
import type { VisibleLayers } from '../stores/types.js'
import { builtFrom } from './changes-since.js'
import { KeptLayers } from './kept-layers.js'
import { shared } from './snapshot.js'
import type { SharedIndex } from './snapshot-header.js'

/** Builds the index of a Safe from all its rows. @throws notFound, and what the build throws */
export type BuildIndex = (safeId: string, pendingImport?: number) => Promise<SharedIndex>

/** Builds indexes in this thread, regardless of their size. */
export function buildsHere(contents: ContentStore): BuildIndex {
  const layers = new KeptLayers(contents)
  return async (safeId, pendingImport) => {
    const read = async (visible: VisibleLayers) =>
      indexOf(await layers.read(safeId, visible), await contents.succession(safeId, rangesOf(visible.ids)))
    return shared(await completeIndex(contents, safeId, pendingImport, read))
  }
}

/** The index that `read` builds from the visible rows, with the state it is built from. @throws notFound */
export async function completeIndex(
  contents: ContentStore,
  safeId: string,
  pendingImport: number | undefined,
  read: (visible: VisibleLayers) => Promise<SafeIndex>,
): Promise<SafeIndex> {
  const visible = await contents.visibleLayers(safeId, pendingImport)
  if (!visible) throw notFound('Safe')
  const built = await builtFrom(contents, safeId, visible)
  const index = await read(visible)
  return { ...index, built: { ...index.built, ...built } }
}
