import { runCounts, type SyncReport } from '../safe.js'
import type { SyncOptions } from './folder-run.js'

/** One run over a folder. */
type Run = (options: SyncOptions) => Promise<{ report: SyncReport }>

/** Maximum consecutive runs because files keep disappearing. */
const MAX_RUNS = 5

/**
 * A run over a folder on the service's machine. Files may be removed between their listing and their reading, as by a
 * `git checkout`: they are then missing, not unreadable, which another run over the current files shows.
 */
export async function localSync(run: Run, options: SyncOptions): Promise<{ report: SyncReport }> {
  let before: SyncReport | undefined
  for (let runs = 1; ; runs++) {
    let isAnyMissing = false
    const onMissing = () => {
      isAnyMissing = true
    }
    const { report } = await run({ ...options, onMissing })
    // The counts of all runs, with the findings of the last.
    const counts = runCounts(kind => report[kind] + (before?.[kind] ?? 0))
    before = { ...report, ...counts, run: report.run ?? before?.run ?? null }
    if (!isAnyMissing || runs === MAX_RUNS) return { report: before }
  }
}
