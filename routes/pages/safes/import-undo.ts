import { importTexts } from '../../../domain/safes/imports/report-text.js'
import type { Import, ReadableSafe } from '../../../domain/safes/safe.js'
import { importsTexts } from '../../../views/texts/imports.js'
import { safeHead } from './safe-head.js'

/** The view model of `views/import-undo.eta`, the confirmation before an import is undone or discarded. */
export function undoPage(safe: ReadableSafe, item: Import) {
  const { id, source, status, sync } = item
  const head = safeHead(safe, 'documents', false)
  const { importUndo: m, sync: run } = importsTexts
  return {
    here: 'safes',
    head,
    source,
    ...(sync
      ? { title: run.undoTitle, text: run.undoText, label: run.undoYes }
      : status === 'committed'
        ? { title: m.undo, text: m.undoText, label: m.undoYes }
        : { title: m.discard, text: m.discardText, label: m.discardYes }),
    counts: importTexts(item),
    action: `${head.path}/imports/${id}/undo`,
    back: `${head.path}/files`,
  }
}
