import type { Counts, Import, SafeCounts } from '../../../domain/safes/safe.js'
import { messages } from '../../../messages.js'
import { runCountsOf } from './run-counts.js'

/** The size of a Safe or of a comparison in words. */
export function countsOf({
  entities,
  relations,
  passages,
  documents = 0,
}: Counts & Partial<SafeCounts>): string[] {
  const { safes } = messages
  return [
    ...(documents > 0 ? [safes.documents(documents)] : []),
    safes.entities(entities),
    safes.relations(relations),
    safes.passages(passages),
  ]
}

/** What an import brought, or what a run of a synced folder did, in words. */
export function importCountsOf({
  counts,
  documents = 0,
  sync,
}: Pick<Import, 'counts' | 'documents' | 'sync'>): string[] {
  return sync ? runCountsOf(sync) : countsOf({ ...counts, documents })
}
