import {
  comparisonTexts,
  importTexts,
  leftOutTexts,
  mergedNamesTexts,
  tableTexts,
} from '../../../domain/safes/imports/report-text.js'
import type { Comparison, Import, ReadableSafe } from '../../../domain/safes/safe.js'
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
  const comparison = status === 'staged' && item.comparison ? partsOf(item.comparison) : []
  const atOnce = isBusy ? importsTexts.files.stop : status === 'failed' ? importsTexts.files.remove : null
  return {
    here: 'safes',
    head,
    id: item.id,
    title: m[status],
    announced: stateOf(item),
    text:
      status === 'failed'
        ? ''
        : item.sync
          ? m.sync.runText
          : comparison.length > 0
            ? m.unchanged
            : m.stateTexts[status],
    isBusy,
    source: item.source,
    added: addedPath(head.path, item),
    format: item.format,
    problem: item.problem,
    progress: progressOf(item),
    counts: status === 'failed' || comparison.length > 0 ? null : importTexts(item).filter(isSome),
    comparison,
    isOutdated: (item.comparison?.version ?? safe.version) !== safe.version,
    leftOut: leftOutTexts(item.leftOut),
    mergedNames: status === 'failed' ? null : differentNames(item),
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

/** Names treated as one although they differ in more than case. */
function differentNames({ mergedNames }: Import) {
  const examples = mergedNames?.examples.filter(([one, ...others]) =>
    others.some(other => other.toLowerCase() !== one?.toLowerCase()),
  )
  return mergedNames && examples?.length ? mergedNamesTexts({ ...mergedNames, examples }) : null
}

const isSome = (text: string) => !text.startsWith('0 ')

/** The changes of the file, without empty parts. */
const partsOf = (comparison: Comparison) =>
  comparisonTexts(comparison, ' · ').flatMap(({ text, ...part }) => {
    const some = text.split(' · ').filter(isSome)
    return some.length > 0 ? [{ ...part, text: some.join(' · ') }] : []
  })
