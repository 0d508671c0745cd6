import { setTimeout as pause } from 'node:timers/promises'
import type { MergeLimits } from '../stores/types.js'
import { PAUSE_MS, WORK_LEASE_MS } from './dropping.js'
import type { MergeLayer } from './merge-layer.js'
import { MergeRun, type MergeRunDependencies } from './merge-run.js'

/** The newest 1,000 imports of a Safe can be undone one by one; 250 more are merged at a time. */
const MERGE_LIMITS: MergeLimits = { keep: 1_000, most: 250 }

/** How long merged rows are stored, because older indexes, here and in other processes, still refer to them. */
const RETIRED_MS = 600_000

/** Merges old imports of all Safes that have very many, and drops rows merged some time ago (ADR 31). */
export async function mergeOldImports(
  dependencies: MergeRunDependencies,
  signal: AbortSignal,
  limits: MergeLimits = MERGE_LIMITS,
): Promise<void> {
  const { merges, clock } = dependencies
  for (const safeId of await merges.withManyImports(limits.keep + limits.most)) {
    if (!signal.aborted) await mergeImports(dependencies, safeId, signal, limits)
  }
  for (const { safeId, imports } of await merges.merged(clock() - RETIRED_MS)) {
    if (!(await merges.retire(safeId, imports))) continue
    while (!signal.aborted && (await merges.dropSome(safeId, imports))) await pause(PAUSE_MS)
  }
}

/** Merges a Safe's oldest imports step by step until only the newest remain. */
async function mergeImports(
  dependencies: MergeRunDependencies,
  safeId: string,
  signal: AbortSignal,
  limits: MergeLimits,
): Promise<void> {
  const { merges, clock } = dependencies
  let layer: MergeLayer | undefined
  while (!signal.aborted) {
    const now = clock()
    const merge = await merges.claim(safeId, limits, now, now + WORK_LEASE_MS)
    if (!merge) return
    const run = new MergeRun({ ...dependencies, merge, signal })
    layer ??= await run.readLayer()
    if (!(await run.copy(layer))) return
    if (!(await merges.finish(run.merge, layer.counts, clock()))) return
  }
}
