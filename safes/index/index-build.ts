import { notFound } from '../../common/domain-error.js'
import { indexOf } from '../../graph/index/build-index.js'
import type { ContentStore } from '../stores/content.sql.js'
import type { CommittedImports, VisibleLayers } from '../stores/types.js'
import type { KeptLayers } from './kept-layers.js'
import { type SharedIndex, type Snapshots, shared } from './snapshot.js'

export interface BuiltIndex {
  committed: CommittedImports
  index: SharedIndex
  /** From its snapshot. */
  isLoaded?: true
  /** Why no snapshot was written. The index is used anyway. */
  notSaved?: string
}

/** The latest index that could not be saved. Without it every question would read the Safe again. */
export interface Unsaved {
  latest: { safeId: string; contentHash: string; index: SharedIndex } | null
}

interface Dependencies {
  contents: ContentStore
  snapshots: Snapshots
  layers: KeptLayers
  unsaved: Unsaved
}

/** How often a build restarts because the Safe changed; then the latest result is used. */
const ATTEMPTS = 3

/**
 * The index of a Safe's committed imports, and of one that is about to be committed: from its snapshot, or
 * built from the rows and then saved. An undo removes rows while they are read, so a Safe that has changed is
 * read again.
 * @throws notFound when the Safe does not exist
 */
export async function openIndex(
  { contents, snapshots, layers, unsaved }: Dependencies,
  safeId: string,
  pendingImport?: number,
): Promise<BuiltIndex> {
  for (let attempt = 1; ; attempt++) {
    const committed = await contents.committedImports(safeId, pendingImport)
    if (!committed) throw notFound('Safe')
    const kept = await snapshots.load(safeId, committed.contentHash)
    if (kept) return { committed, index: kept, isLoaded: true }
    const { latest } = unsaved
    const isLatest = latest?.safeId === safeId && latest.contentHash === committed.contentHash
    const build = async () => {
      const rows = await layers.read(safeId, await visibleLayers(contents, safeId, pendingImport))
      return shared(await indexOf(rows, await contents.succession(safeId, committed.ranges)))
    }
    const index = isLatest ? latest.index : await build()
    const now = await contents.committedImports(safeId, pendingImport)
    if (now?.contentHash !== committed.contentHash && attempt < ATTEMPTS) continue
    try {
      await snapshots.save(safeId, committed.contentHash, index)
      unsaved.latest = null
      return { committed, index }
    } catch (error) {
      unsaved.latest = { safeId, contentHash: committed.contentHash, index }
      return { committed, index, notSaved: (error as Error).message }
    }
  }
}

/** Reads the rows that the next index of a Safe is built from. @throws notFound when the Safe does not exist */
export async function warmIndex(
  { contents, layers }: Pick<Dependencies, 'contents' | 'layers'>,
  safeId: string,
): Promise<void> {
  await layers.warm(safeId, await visibleLayers(contents, safeId))
}

async function visibleLayers(
  contents: ContentStore,
  safeId: string,
  pendingImport?: number,
): Promise<VisibleLayers> {
  const visible = await contents.visibleLayers(safeId, pendingImport)
  if (!visible) throw notFound('Safe')
  return visible
}
