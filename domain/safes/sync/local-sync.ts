import type { RunCounts, SyncReport } from '../safe.js'
import type { SyncOptions } from './folder-run.js'
import type { FoundFile } from './plan.js'

/** One run over a folder. */
type Run = (options: SyncOptions) => Promise<{ report: SyncReport }>

/** Maximum consecutive runs because files keep disappearing. */
const MAX_RUNS = 5

/**
 * A run over a folder on the service's machine. Files may be removed between their listing and their reading, as by a
 * `git checkout`: they are then missing, not unreadable, which another run over the current files shows.
 */
export async function localSync(run: Run, options: SyncOptions): Promise<{ report: SyncReport }> {
  let before: SyncReport | null = null
  for (let runs = 1; ; runs++) {
    let isAnyMissing = false
    const onMissing = () => {
      isAnyMissing = true
    }
    const walk = async () => {
      const { files, leftOut } = await options.walk()
      return { files: files.map(file => watched(file, onMissing)), leftOut }
    }
    const { report } = await run({ ...options, walk })
    before = before === null ? report : both(before, report)
    if (!isAnyMissing || runs === MAX_RUNS) return { report: before }
  }
}

const watched = (file: FoundFile, onMissing: () => void): FoundFile => ({
  ...file,
  async open() {
    try {
      return await file.open()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') onMissing()
      throw error
    }
  },
})

/** The combined result of two runs, with the findings of the second. */
function both(first: RunCounts & { run: number | null }, second: SyncReport): SyncReport {
  return {
    ...second,
    added: first.added + second.added,
    changed: first.changed + second.changed,
    renamed: first.renamed + second.renamed,
    removed: first.removed + second.removed,
    relinked: first.relinked + second.relinked,
    run: second.run ?? first.run,
  }
}
