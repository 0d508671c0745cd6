import { importTexts } from '../../../domain/safes/imports/report-text.js'
import type { Import, UndoneImport } from '../../../domain/safes/safe.js'
import { amount } from '../../../domain/safes/size-text.js'
import { showTime } from '../../../platform/common/format.js'
import { importsTexts } from '../../../views/texts/imports.js'
import { addedPath, progressOf, stateOf } from './import-state.js'

interface RowAction {
  path: string
  label: string
}

/** An import in the list of files. */
export function importRow(item: Import, isOwn: boolean) {
  const path = `/safes/${item.safeId}/imports/${item.id}`
  const { documents, relations, passages } = amount
  const { counts, sync } = item
  const added = sync
    ? [importsTexts.sync.run(item.id), ...importTexts(item)]
    : [
        ...(item.documents ? [documents(item.documents)] : []),
        relations(counts.relations),
        passages(counts.passages),
      ]
  const who = [sync?.by, item.by].filter(Boolean)
  return {
    id: item.id,
    source: item.source,
    href: isOwn ? path : null,
    state: importsTexts.states[item.status],
    announced: stateOf(item),
    tag: item.status === 'committed' ? 'good' : item.status === 'failed' ? 'bad' : 'warn',
    summary: [added.join(', '), ...who, showTime(item.createdAt)].join(' · '),
    added: sync ? null : addedPath(`/safes/${item.safeId}`, item),
    progress: progressOf(item),
    ...(isOwn && !sync ? actionsOf(item, path) : { ask: null, act: null }),
  }
}

/** An undone import, which owners can restore. */
export function undoneRow(item: UndoneImport, isOwn: boolean) {
  const { safeId, id, source, restorableUntil } = item
  const { restore, restorable } = importsTexts.files
  const path = `/safes/${safeId}/imports/${id}/restore`
  return {
    source,
    summary: importTexts(item).join(', '),
    until: restorable(showTime(restorableUntil)),
    restore: isOwn ? { path, label: restore } : null,
  }
}

/** Additions, or possible ones, need a confirmation. */
function actionsOf(
  { status, merged }: Import,
  path: string,
): { ask: RowAction | null; act: RowAction | null } {
  const { stop, remove, discard, undo } = importsTexts.files
  const undoPath = `${path}/undo`
  if (status === 'staging') return { ask: null, act: { path: undoPath, label: stop } }
  if (status === 'failed') return { ask: null, act: { path: undoPath, label: remove } }
  if (merged) return { ask: null, act: null }
  return { ask: { path: undoPath, label: status === 'staged' ? discard : undo }, act: null }
}
