import {
  comparisonTexts,
  importTexts,
  leftOutTexts,
  mergedNamesTexts,
  tableTexts,
} from '../../../domain/safes/imports/report-text.js'
import type { Import, ReadableSafe } from '../../../domain/safes/safe.js'
import { importsTexts } from '../../../views/texts/imports.js'
import { badLinesOf, remarksOf } from './import-parts.js'
import { addedPath, progressOf, stateOf } from './import-state.js'
import { safeHead } from './safe-head.js'

/** The view model of `views/import.eta`: one import from reading to undoing. */
export function importPage(safe: ReadableSafe, item: Import) {
  const m = importsTexts
  const head = safeHead(safe, 'documents', false)
  const path = `${head.path}/imports/${item.id}`
  const { status } = item
  const isBusy = status === 'staging'
  const atOnce = isBusy ? importsTexts.files.stop : status === 'failed' ? importsTexts.files.remove : null
  return {
    here: 'safes',
    head,
    id: item.id,
    title: m[status],
    announced: stateOf(item),
    text: status === 'failed' ? '' : item.sync ? importsTexts.sync.runText : m.stateTexts[status],
    isBusy,
    source: item.source,
    added: addedPath(head.path, item),
    format: item.format,
    problem: item.problem,
    progress: progressOf(item),
    counts: status === 'failed' ? null : importTexts(item),
    comparison: status === 'staged' && item.comparison ? comparisonTexts(item.comparison, ' · ') : null,
    isOutdated: (item.comparison?.version ?? safe.version) !== safe.version,
    leftOut: leftOutTexts(item.leftOut),
    mergedNames: status !== 'failed' && item.mergedNames ? mergedNamesTexts(item.mergedNames) : null,
    tables:
      status === 'staged'
        ? (item.tables ?? []).map(table => ({ ...tableTexts(table), rows: table.rows }))
        : [],
    badLines: badLinesOf(item),
    remarks: remarksOf(item),
    merged: item.merged,
    commit: status === 'staged' ? `${path}/commit` : null,
    askUndo: status === 'committed' && !item.merged ? `${path}/undo` : null,
    undo: atOnce
      ? { path: `${path}/undo`, label: atOnce }
      : status === 'staged'
        ? { path: `${path}/undo`, label: m.discard }
        : null,
    again: status === 'failed' ? `${head.path}/import` : null,
    files: `${head.path}/files`,
  }
}
