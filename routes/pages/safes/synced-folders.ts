import {
  failedFilesText,
  lineText,
  runLeftOutTexts,
  runTexts,
} from '../../../domain/safes/imports/report-text.js'
import type { SyncedFolder } from '../../../domain/safes/safe.js'
import type { KeptFolder } from '../../../domain/safes/sync/kept-folders.js'
import { showTime } from '../../../platform/common/format.js'
import { importsTexts } from '../../../views/texts/imports.js'

/** A folder as the list of a Safe's files shows it (`views/parts/synced-folder.eta`). */
interface FolderRow {
  name: string
  /** Its location on the machine that syncs it. Null for readers. */
  folder: string | null
  state: string
  tag: 'good' | 'bad' | 'warn'
  summary: string
  changes: string
  leftOut: string | null
  failed: { title: string; lines: string[] } | null
  /** A link to a confirmation page. */
  ask: { path: string; label: string } | null
  /** The service itself syncs it. `confirm`: most of its files are missing. */
  kept: { problem: string | null; sync: string; stop: string; confirm: boolean } | null
}

/** Maximum files with bad lines shown. The command line lists all. */
const FAILED_SHOWN = 10

/** A synced folder in the list of files. `path`: the address of its Safe. */
export function folderRow(item: SyncedFolder, path: string, isOwn: boolean, kept?: KeptFolder): FolderRow {
  const m = importsTexts.sync
  const { name, folder, counts, checkedAt, report, isBusy, visibleRun } = item
  const changes = report ? runTexts(report) : []
  const leftOut = report ? runLeftOutTexts(report.leftOut) : []
  return {
    name,
    folder: isOwn ? folder : null,
    ...stateOf(item),
    summary: [m.files(counts.files), ...(checkedAt === null ? [] : [m.lastRun(showTime(checkedAt))])].join(
      ' · ',
    ),
    changes: changes.length === 0 ? (report && !isBusy ? m.unchanged : '') : changes.join(', '),
    leftOut: leftOut.length === 0 ? null : `${m.leftOut}: ${leftOut.join(', ')}`,
    failed: failedOf(item),
    kept: isOwn && kept ? keptOf(kept, path) : null,
    ask: isOwn && visibleRun > 0 ? { path: `${path}/imports/${visibleRun}/undo`, label: m.undo } : null,
  }
}

function stateOf({ isBusy, checkedAt, report }: SyncedFolder): Pick<FolderRow, 'state' | 'tag'> {
  const { busy, inStep, interrupted } = importsTexts.sync
  if (isBusy) return { state: busy, tag: 'warn' }
  if (checkedAt === null || report === null) return { state: interrupted, tag: 'bad' }
  if (report.failedCount > 0) return { state: failedFilesText(report.failedCount), tag: 'bad' }
  return { state: inStep, tag: 'good' }
}

function keptOf({ problem, problem_code }: KeptFolder, path: string): FolderRow['kept'] {
  const confirm = problem_code === 'removes_most'
  const forms = { sync: `${path}/folders/sync`, stop: `${path}/folders/stop` }
  return { problem: confirm ? importsTexts.sync.removesMost : problem, ...forms, confirm }
}

/** A chosen folder whose first run has not finished yet. */
export const unread = ({ safe_id, name, folder }: KeptFolder): SyncedFolder => ({
  ...{ safeId: safe_id, id: 0, name, folder, visibleRun: 0, isBusy: false, checkedAt: null, report: null },
  counts: { files: 0, entities: 0, relations: 0, passages: 0 },
})

function failedOf({ report }: SyncedFolder): FolderRow['failed'] {
  if (!report || report.failedCount === 0) return null
  const lines = report.failed
    .slice(0, FAILED_SHOWN)
    .map(({ path, badLines: [bad] }) => (bad ? lineText({ ...bad, file: path }) : path))
  return { title: importsTexts.sync.failedText, lines }
}
