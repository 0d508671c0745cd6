import { messages } from '../../messages.js'
import type { Counts } from '../../safes/safe.js'

/** How large a Safe or an import is, in words. */
export function countsOf({ entities, relations, passages }: Counts): string[] {
  const { safes } = messages
  return [safes.entities(entities), safes.relations(relations), safes.passages(passages)]
}
