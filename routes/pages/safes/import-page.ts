import {
  type ComparisonPart,
  comparisonTexts,
  importTexts,
  leftOutTexts,
  mergedNamesTexts,
  tableTexts,
} from '../../../domain/safes/imports/report-text.js'
import type { Import, ReadableSafe } from '../../../domain/safes/safe.js'
import type { Page } from '../../../plugins/views.js'
import { importsTexts } from '../../../views/texts/imports.js'
import { badLinesOf, type LinesPart, remarksOf } from './import-parts.js'
import { addedPath, type ImportProgress, progressOf, stateOf } from './import-state.js'
import { type SafeHead, safeHead } from './safe-head.js'

interface ImportPage extends Page {
  head: SafeHead
  id: number
  title: string
  /** Announced when the state changes. */
  announced: string
  /** Explains the import's state. */
  text: string
  /** The file is being read. */
  isBusy: boolean
  source: string
  /** The things that it added. */
  added: string | null
  format: string
  /** Why the import failed. */
  problem: string | null
  progress: ImportProgress | null
  counts: string[] | null
  /** What the file would change; null when that is not known. */
  comparison: ComparisonPart[] | null
  /** The Safe has changed since the comparison. */
  isOutdated: boolean
  leftOut: string[]
  /** Names of the file that have become one; null when there are none. */
  mergedNames: { text: string; examples: string[]; advice: string } | null
  /** How tables are read, before they are added. */
  tables: { title: string; other: string | null; rows: string[] }[]
  badLines: LinesPart | null
  /** What was read in another way than its author meant. */
  remarks: LinesPart | null
  merged: boolean
  /** Paths of buttons and links; null when one is not shown. `askUndo` asks first, `undo` acts at once. */
  commit: string | null
  askUndo: string | null
  undo: { path: string; label: string } | null
  /** Where to choose another file. */
  again: string | null
  files: string
}

/** The view model of `views/import.eta`: one import from reading to undoing. */
export function importPage(safe: ReadableSafe, item: Import): ImportPage {
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
