import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../common/clock.js'
import type { ImportRange, ImportStore } from '../stores/types.js'

/** Between two transactions of an import or a clean-up, so that other writers get their turn (GRAPH §1). */
export const PAUSE_MS = 2

/** How long a process may say nothing about an import it works on before another one takes over. */
export const WORK_LEASE_MS = 60_000

interface Dependencies {
  imports: ImportStore
  clock: Clock
}

/**
 * Drops the rows of refused or undone imports in small transactions. Stopped in the middle, by `signal` or by the
 * end of the process, it is taken up again by `sweep` when its lease has run out.
 */
export async function dropRows(
  { imports, clock }: Dependencies,
  safeId: string,
  range: ImportRange,
  signal: AbortSignal,
): Promise<void> {
  while (await imports.dropSome(safeId, range, clock() + WORK_LEASE_MS)) {
    if (signal.aborted) return
    await pause(PAUSE_MS)
  }
  await imports.dropped(safeId, range)
}

/** Refuses and drops what nobody works on any more: imports of dead processes, and those never said yes to. */
export async function sweep(dependencies: Dependencies, signal: AbortSignal): Promise<number> {
  const problem = 'Nobody finished this import in time, so nothing of it was kept.'
  for (let count = 0; ; ) {
    const now = dependencies.clock()
    const abandoned = await dependencies.imports.takeAbandoned(now, now + WORK_LEASE_MS, problem)
    for (const { safeId, id } of abandoned) {
      if (signal.aborted) return count
      await dropRows(dependencies, safeId, [id, id], signal)
    }
    count += abandoned.length
    if (abandoned.length === 0) return count
  }
}
