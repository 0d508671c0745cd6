import { showBytes } from '../../common/format.js'
import { messages } from '../../messages.js'
import type { Page } from '../../plugins/views.js'
import type { BadLine, Import } from '../../safes/safe.js'
import { countsOf } from './counts.js'

declare module '../../plugins/views.js' {
  interface Pages {
    import: ImportPage
  }
}

interface ImportPage extends Page {
  safeName: string
  safePath: string
  title: string
  /** Explains the import's state. */
  text: string
  /** 0: the page does not refresh. */
  refreshSeconds: number
  source: string
  format: string
  /** Why the import failed. */
  problem: string | null
  progress: { read: number; total: number | null; text: string } | null
  counts: string[] | null
  badLines: { title: string; firstOf: string | null; lines: BadLine[] } | null
  merged: boolean
  /** Actions of the buttons; null when a button is not shown. */
  commit: string | null
  undo: string | null
  /** Where to choose another file. */
  again: string | null
}

/** The view model of `views/import.eta`: one import from reading to undoing. */
export function importPage(safe: { id: string; name: string }, item: Import): ImportPage {
  const m = messages.imports
  const safePath = `/safes/${safe.id}`
  const path = `${safePath}/imports/${item.id}`
  const { status } = item
  const isReading = status === 'staging'
  return {
    here: 'safes',
    safeName: safe.name,
    safePath,
    title: m[status],
    text: status === 'failed' ? '' : m[`${status}Text`],
    refreshSeconds: isReading ? 1 : 0,
    source: item.source,
    format: item.format,
    problem: item.problem,
    progress: isReading ? progressOf(item) : null,
    counts: status === 'failed' ? null : countsOf(item.counts),
    badLines: badLinesOf(item),
    merged: item.merged ?? false,
    commit: status === 'staged' ? `${path}/commit` : null,
    undo: status === 'staged' || (status === 'committed' && !item.merged) ? `${path}/undo` : null,
    again: status === 'failed' ? `${safePath}/import` : null,
  }
}

function progressOf({ bytesRead, bytesTotal }: Import) {
  const total = bytesTotal || null
  const text = messages.imports.progress(showBytes(bytesRead), total === null ? null : showBytes(total))
  return { read: bytesRead, total, text }
}

function badLinesOf({ badLineCount, badLines }: Import) {
  if (badLineCount === 0) return null
  const { badLines: title, firstOf } = messages.imports
  const isCut = badLineCount > badLines.length
  return { title: title(badLineCount), firstOf: isCut ? firstOf(badLines.length) : null, lines: badLines }
}
