import type { Counts, Import, SafeCounts } from '../../../domain/safes/safe.js'
import { safesTexts } from '../../../views/texts/safes.js'
import { runCountsOf } from './run-counts.js'

/** The size of a Safe or of a comparison in words. */
export function countsOf({
  entities,
  relations,
  passages,
  documents = 0,
}: Counts & Partial<SafeCounts>): string[] {
  return [
    ...(documents > 0 ? [safesTexts.documents(documents)] : []),
    safesTexts.entities(entities),
    safesTexts.relations(relations),
    safesTexts.passages(passages),
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
