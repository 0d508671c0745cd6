import { messages } from '../../../messages.js'
import type { Counts } from '../../../safes/safe.js'

/** The size of a Safe or an import in words. */
export function countsOf({ entities, relations, passages }: Counts): string[] {
  const { safes } = messages
  return [safes.entities(entities), safes.relations(relations), safes.passages(passages)]
}
