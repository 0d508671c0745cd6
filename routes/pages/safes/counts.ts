import { messages } from '../../../messages.js'
import type { Counts, SafeCounts } from '../../../safes/safe.js'

/** The size of a Safe or an import in words. */
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
