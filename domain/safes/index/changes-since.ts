import { type BuiltFrom, indexWith, Layers, Pause, type SafeIndex } from '../../../engine/graph/index.js'
import type { ContentStore } from '../stores/content.sql.js'
import { rangesOf } from '../stores/ranges.js'
import type { VisibleLayers } from '../stores/types.js'
import { limitedSource, NotSmall } from './small-source.js'

type Contents = Pick<ContentStore, 'source' | 'removed' | 'succession' | 'visibleLayers'>

/** Rows that are added to an index, all together, before it is built again, as a share of its rows. */
export const MAX_SHARE = 0.05

/** What an index of these rows is built from. To be called before they are read: what changes meanwhile is then noticed. */
export async function builtFrom(
  contents: Contents,
  safeId: string,
  { ids, mergedThrough }: VisibleLayers,
): Promise<Pick<BuiltFrom, 'imports' | 'basis'>> {
  // Which facts others supersede depends on all rows.
  const isRanked = (await contents.succession(safeId, [])) !== null
  const { version } = await contents.removed(safeId)
  return { imports: Uint32Array.from(ids), basis: isRanked ? '' : `${mergedThrough} ${version}` }
}

/** An index as of now, from an earlier one and the rows that have changed; null if all of them must be read (ADR 17). */
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

/** Whether rows went and no newer ones came: an undo brings back the answers that were there (GRAPH §1), to the last digit. */
function isUndo(gone: ReadonlySet<number>, added: readonly number[]): boolean {
  const newest = Math.max(...gone)
  return gone.size > 0 && !added.some(id => id > newest)
}
