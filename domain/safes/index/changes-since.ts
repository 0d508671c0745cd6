import { type BuiltFrom, indexWith, Layers, Pause, type SafeIndex } from '../../../engine/graph/index.js'
import type { ContentStore } from '../stores/content.sql.js'
import { rangesOf } from '../stores/ranges.js'
import type { VisibleLayers } from '../stores/types.js'
import { limitedSource, NotSmall } from './small-source.js'

type Contents = Pick<ContentStore, 'source' | 'removed' | 'succession' | 'visibleLayers'>

/** Maximum rows added to an index, all together, before it is rebuilt, as a share of its rows. */
export const MAX_SHARE = 0.05

/** The state an index of these rows is built from. Call it before they are read, so that later changes are noticed. */
export async function builtFrom(
  contents: Contents,
  safeId: string,
  { ids, mergedThrough }: VisibleLayers,
): Promise<Pick<BuiltFrom, 'imports' | 'basis'>> {
  // Superseding depends on all rows.
  const isRanked = (await contents.succession(safeId, [])) !== null
  const { version } = await contents.removed(safeId)
  return { imports: Uint32Array.from(ids), basis: isRanked ? '' : `${mergedThrough} ${version}` }
}

/** A current index from an earlier one and the changed rows; null if all rows must be read (ADR 17). */
export async function withChanges(
  contents: Contents,
  safeId: string,
  before: SafeIndex,
  pendingImport?: number,
): Promise<SafeIndex | null> {
  const visible = await contents.visibleLayers(safeId, pendingImport)
  if (!visible || before.built.basis === '') return null
  const built = await builtFrom(contents, safeId, visible)
  if (built.basis !== before.built.basis) return null
  const gone = new Set(before.built.imports)
  const added = visible.ids.filter(id => !gone.delete(id))
  if (isUndo(gone, added)) return null
  const { named, facts, passages } = before
  const most = MAX_SHARE * (named + facts.count + passages.count) - before.built.added
  const { source, seen } = limitedSource(contents.source(safeId, rangesOf(added)), { rows: most })
  const lost = limitedSource(contents.source(safeId, rangesOf([...gone])), { rows: most }).source
  const layers = new Layers()
  const names: { key: string; name: string }[] = []
  try {
    await layers.read(source, new Pause())
    for await (const rows of lost.entities()) names.push(...rows)
    for await (const rows of lost.aliases())
      names.push(...rows.map(({ entityKey, alias }) => ({ key: entityKey, name: alias })))
  } catch (error) {
    if (error instanceof NotSmall) return null
    throw error
  }
  return indexWith(
    before,
    layers,
    { imports: gone, names },
    { ...before.built, ...built, added: before.built.added + seen.rows },
  )
}

/** Whether rows were removed and no newer ones added: an undo restores the earlier answers (GRAPH §1), to the last digit. */
function isUndo(gone: ReadonlySet<number>, added: readonly number[]): boolean {
  const newest = Math.max(...gone)
  return gone.size > 0 && !added.some(id => id > newest)
}
