import { counted, showNumber } from '../../../platform/common/format.js'
import type { BadLine, Comparison, Import, LeftOut, MergedNames, RunCounts, TableSummary } from '../safe.js'
import { RUN_KINDS } from '../safe.js'
import { sizeTexts } from '../size-text.js'
import type { LeftOutFiles } from './import-files.js'

// What an import or a run of a synced folder did, for pages and the command line alike.

const files = counted('file', 'files')

const RUN = {
  added: 'added',
  changed: 'changed',
  renamed: 'renamed',
  removed: 'removed',
  relinked: 'read again because of links or line breaks',
}

/** The result of a run of a synced folder: “2 files added”, … */
export const runTexts = (run: RunCounts): string[] =>
  RUN_KINDS.flatMap(kind => (run[kind] > 0 ? [`${files(run[kind])} ${RUN[kind]}`] : []))

/** The contents of an import, or the result of its run of a synced folder. */
export const importTexts = ({ counts, documents, sync }: Pick<Import, 'counts' | 'documents' | 'sync'>) =>
  sync ? runTexts(sync) : sizeTexts({ ...counts, documents })

const LEFT_OUT = {
  hidden: 'hidden',
  ignored: 'in .gitignore',
  tooLarge: 'larger than 64 MiB',
  links: 'symbolic links',
  beside_notes: 'next to the notes',
  beside_chats: 'next to the conversations',
  unknown: 'in unsupported formats',
  others: 'in unsupported formats',
  unreadable: 'that cannot be read',
}

/** The files that an import left out: “12 next to the notes (.png, .jpg)”, … */
export const leftOutTexts = (leftOut: readonly LeftOutFiles[] = []): string[] =>
  leftOut.map(({ reason, count, endings, names = [] }) => {
    const which = [...endings.map(ending => `.${ending}`), ...names].join(', ')
    return `${leftOutText(reason, count)}${which === '' ? '' : ` (${which})`}`
  })

const RUN_LEFT_OUT = ['hidden', 'ignored', 'tooLarge', 'links', 'others'] as const

/** The files that a run of a synced folder left out: “3 hidden”, … */
export const runLeftOutTexts = (leftOut: LeftOut): string[] =>
  RUN_LEFT_OUT.flatMap(reason => (leftOut[reason] > 0 ? [leftOutText(reason, leftOut[reason])] : []))

const leftOutText = (reason: keyof typeof LEFT_OUT, count: number) =>
  reason === 'links' && count === 1 ? '1 symbolic link' : `${showNumber(count)} ${LEFT_OUT[reason]}`

/** How many lines could not be read. */
export const badLinesText = (count: number) => `${counted('line', 'lines')(count)} could not be read`

/** Why a file was refused that exceeds the limits of an index. */
export const tooManyRows = (rows: number, most: number) =>
  `This file has about ${showNumber(Math.round(rows))} things, facts and passages. With what it has already, a Safe can have at most ${showNumber(most)}. Nothing was added. Divide the file between several Safes.`

/** How many files could not be read. */
export const failedFilesText = (count: number) => `${files(count)} could not be read`

/** A line that could not be read, or was only partly recognized: “notes/a.md, line 3: …”. */
export const lineText = ({ file, line, problem }: BadLine) =>
  `${file === undefined ? '' : `${file}, `}line ${line}: ${problem}`

/** One part of a comparison with the Safe. */
interface ComparisonPart {
  title: string
  text: string
  examples: readonly string[]
}

/** The changes of an import. `separator`: between the amounts. */
export function comparisonTexts(
  { added, there, conflicts, documents, examples }: Comparison,
  separator: string,
): ComparisonPart[] {
  const size = (counts: typeof added, ofDocuments?: number) =>
    sizeTexts({ ...counts, documents: ofDocuments }).join(separator)
  const changed = documents?.changed ?? 0
  return [
    { title: 'New', text: size(added, documents?.added), examples: examples.added },
    ...(changed > 0 ? [{ title: 'Changed', text: changedText(changed), examples: [] }] : []),
    { title: 'Already there', text: size(there, documents?.unchanged), examples: examples.there },
    ...(conflicts > 0
      ? [{ title: 'Conflicting', text: conflictsText(conflicts), examples: examples.conflicts }]
      : []),
  ]
}

const changedText = counted(
  'document differs from the version in the Safe and replaces it.',
  'documents differ from the versions in the Safe and replace them.',
)
const conflictsText = counted(
  'thing has another type in the Safe. The Safe keeps its type.',
  'things have another type in the Safe. The Safe keeps their types.',
)

/** How a table is read, and the other columns that could contain the names. */
export function tableTexts({ table, thing, naming, unclear }: TableSummary): {
  title: string
  other: string | null
} {
  const quoted = (columns: readonly string[]) => columns.map(column => `“${column}”`)
  const named =
    naming.length > 0
      ? `, named by ${quoted(naming).join(' and ')}.`
      : '; rows are numbered because no column has names.'
  return {
    title: `${table}: each row is a thing of type “${thing}”${named}`,
    other:
      unclear.length > 0 ? `Other columns that could have the names: ${quoted(unclear).join(', ')}.` : null,
  }
}

/** Things merged because their names are almost the same. */
export function mergedNamesTexts({ count, examples }: MergedNames): {
  text: string
  examples: string[]
  advice: string
} {
  const some = count > examples.length ? ` The first ${examples.length}:` : ''
  return {
    text: `${counted('thing has', 'things have')(count)} names that differ only in capitals, accents or form. Such names count as one.${some}`,
    examples: examples.map(names => names.map(name => `“${name}”`).join(' and ')),
    advice:
      'If two of these names mean different things, rename one in the file, for example to “recipe (property)”, ' +
      'and add the file again in place of this one. “svc safe split” cannot separate them.',
  }
}
