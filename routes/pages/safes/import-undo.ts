import { importTexts } from '../../../domain/safes/imports/report-text.js'
import type { Import, ReadableSafe } from '../../../domain/safes/safe.js'
import type { Page } from '../../../plugins/views.js'
import { importsTexts } from '../../../views/texts/imports.js'
import { type SafeHead, safeHead } from './safe-head.js'

interface UndoPage extends Page {
  head: SafeHead
  title: string
  source: string
  /** What goes. */
  counts: string[]
  text: string
  action: string
  label: string
  back: string
}

/** The view model of `views/import-undo.eta`, which asks before an import is undone or discarded. */
export function undoPage(safe: ReadableSafe, item: Import): UndoPage {
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
