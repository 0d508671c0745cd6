import { setTimeout as pause } from 'node:timers/promises'
import type { SafesShared } from '../dependencies.js'
import type { ImportRange } from '../stores/types.js'

/** Pause between two transactions of an import or clean-up, so that other writers can proceed (GRAPH §1). */
export const PAUSE_MS = 2

/** After this time without a renewed lease, another process takes over the import. */
export const WORK_LEASE_MS = 60_000

/** How long undone imports and removed Safes can be restored (ADR 45). */
export const RESTORABLE_MS = 7 * 86_400_000

type DroppingDependencies = Pick<SafesShared, 'imports' | 'clock'>

/**
 * Drops the rows of rejected or undone imports in small transactions. If `signal` or the end of the process
 * interrupts it, `sweep` continues once the lease has expired.
 */
export async function dropRows(
  { imports, clock }: DroppingDependencies,
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

/** Rejects and drops abandoned imports: those of dead processes, and those that were never approved. */
export async function sweep(dependencies: DroppingDependencies, signal: AbortSignal): Promise<void> {
  const problem = 'This import was not finished in time; nothing was added.'
  for (;;) {
    const now = dependencies.clock()
    const abandoned = await dependencies.imports.takeAbandoned(now, now + WORK_LEASE_MS, problem)
    for (const { safeId, id } of abandoned) {
      if (signal.aborted) return
      await dropRows(dependencies, safeId, [id, id], signal)
    }
    if (abandoned.length === 0) return
  }
}
