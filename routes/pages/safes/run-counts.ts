import type { LeftOut, RunCounts } from '../../../domain/safes/safe.js'
import { importsTexts } from '../../../views/texts/imports.js'

/** What a run of a synced folder did, in words. */
export function runCountsOf(run: RunCounts): string[] {
  const kinds = ['added', 'changed', 'renamed', 'removed', 'relinked'] as const
  return kinds.flatMap(kind => (run[kind] > 0 ? [importsTexts.sync[kind](run[kind])] : []))
}

/** What a run left out, in words. */
export function leftOutOf(leftOut: LeftOut): string[] {
  const kinds = ['hidden', 'ignored', 'tooLarge', 'links', 'others'] as const
  return kinds.flatMap(kind => (leftOut[kind] > 0 ? [importsTexts.sync[kind](leftOut[kind])] : []))
}
