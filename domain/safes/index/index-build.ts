import type { LRUCache } from 'lru-cache'
import { fromBuffers, type Workspace } from '../../../engine/graph/index.js'
import { DomainError, notFound } from '../../../platform/common/domain-error.js'
import { TOO_LARGE } from '../errors.js'
import type { ContentStore } from '../stores/content.sql.js'
import type { CommittedImports } from '../stores/types.js'
import { withChanges } from './changes-since.js'
import type { BuildIndex } from './complete-index.js'
import type { SharedSnapshots } from './shared-snapshots.js'
import { Sharing } from './sharing.js'
import { type Snapshots, shared } from './snapshot.js'
import type { SharedIndex } from './snapshot-header.js'

export interface BuiltIndex {
  committed: CommittedImports
  index: SharedIndex
  /** The place where it was found. */
  from: 'file' | 'memory' | 'shared' | 'changes' | 'rows'
  /** The reason why no snapshot was written. The index is used anyway. */
  notSaved?: string
  /** The reason why other processes must build it again. */
  notShared?: string
}

/** Thrown while another process builds the index: ask again in a moment. */
export class BuiltElsewhere extends Error {
  constructor() {
    super('Another process is building this index.')
  }
}

/** The latest index that could not be saved. Without it, every question would read the Safe again. */
interface Unsaved {
  latest: { safeId: string; contentHash: string; index: SharedIndex } | null
}

interface IndexBuildDependencies {
  contents: ContentStore
  snapshots: Snapshots
  /** Null in an embedded installation, which has one process. */
  sharing: SharedSnapshots | null
  build: BuildIndex
  /** Safe → the contents for which an index was too large, and the error. It is not tried again. */
  tooLarge: LRUCache<string, { contentHash: string; error: DomainError }>
  unsaved: Unsaved
  workspace?: Workspace
}

/** Opens an index without a snapshot. */
export interface OpenFrom {
  /** An import that is about to be committed. */
  pendingImport?: number | undefined
  /** An earlier index that new rows can be added to. */
  before?: SharedIndex | undefined
  /** Whether all rows are read. */
  isComplete?: boolean
}

/** How often a build restarts because the Safe changed; then the latest result is used. */
const ATTEMPTS = 3

/**
 * The index of a Safe's committed imports, and of one that is about to be committed: from its snapshot, from an earlier
 * index, from another process, or built from the rows and then saved. An undo removes rows while they are read, so a Safe that has
 * changed is read again.
 * @throws notFound when the Safe does not exist; DomainError when it is too large; BuiltElsewhere
 */
export async function openIndex(
  dependencies: IndexBuildDependencies,
  safeId: string,
  { pendingImport, before, isComplete = false }: OpenFrom = {},
): Promise<BuiltIndex> {
  const { contents, snapshots, unsaved } = dependencies
  for (let attempt = 1; ; attempt++) {
    const committed = await contents.committedImports(safeId, pendingImport)
    if (!committed) throw notFound('Safe')
    const { contentHash } = committed
    const file = await snapshots.load(safeId, contentHash)
    if (file) return { committed, index: file, from: 'file' }
    const sharing = new Sharing({ snapshots: dependencies.sharing, safeId, committed })
    const kept = unsavedIndex(unsaved, safeId, contentHash)
    const isSame = async () =>
      attempt === ATTEMPTS ||
      (await contents.committedImports(safeId, pendingImport))?.contentHash === contentHash
    const changedFrom = async (earlier: SharedIndex | null) =>
      earlier && changedIndex(dependencies, safeId, earlier, pendingImport)
    let changed = await changedFrom(before ?? null)
    const found = changed ? null : (kept ?? (await sharing.load()))
    if (!changed && !found && !before && !isComplete)
      changed = await changedFrom((await snapshots.load(safeId, null)) ?? (await sharing.loadEarlier()))
    if (changed && (await isSame())) return { committed, index: changed, from: 'changes' }
    if (changed) continue
    if (!found && !(await sharing.begin())) throw new BuiltElsewhere()
    const index = found ?? (await sharing.during(buildOnce(dependencies, safeId, committed, pendingImport)))
    if (!(await isSame())) {
      if (!found) await sharing.giveUp()
      continue
    }
    if (!found) await sharing.save(index)
    const from = kept ? 'memory' : found ? 'shared' : 'rows'
    const notSaved = await saveFile(dependencies, safeId, contentHash, index)
    return { committed, index, from, ...notSaved, ...sharing.problem }
  }
}

/** An earlier index with the changes since; null if it must be built. It has no snapshot. */
async function changedIndex(
  { contents, workspace }: IndexBuildDependencies,
  safeId: string,
  { layout, bytes }: SharedIndex,
  pendingImport?: number,
): Promise<SharedIndex | null> {
  const index = fromBuffers(layout, bytes, workspace)
  const changed = index && (await withChanges(contents, safeId, index, pendingImport))
  return changed && shared(changed)
}

function unsavedIndex({ latest }: Unsaved, safeId: string, contentHash: string): SharedIndex | null {
  return latest?.safeId === safeId && latest.contentHash === contentHash ? latest.index : null
}

async function buildOnce(
  { build, tooLarge }: IndexBuildDependencies,
  safeId: string,
  { contentHash }: CommittedImports,
  pendingImport?: number,
): Promise<SharedIndex> {
  const known = tooLarge.get(safeId)
  if (known?.contentHash === contentHash) throw known.error
  try {
    return await build(safeId, pendingImport)
  } catch (error) {
    if (error instanceof DomainError && error.code === TOO_LARGE) tooLarge.set(safeId, { contentHash, error })
    throw error
  }
}

async function saveFile(
  { snapshots, unsaved }: IndexBuildDependencies,
  safeId: string,
  contentHash: string,
  index: SharedIndex,
): Promise<Pick<BuiltIndex, 'notSaved'>> {
  try {
    await snapshots.save(safeId, contentHash, index)
    unsaved.latest = null
    return {}
  } catch (error) {
    unsaved.latest = { safeId, contentHash, index }
    return { notSaved: (error as Error).message }
  }
}
