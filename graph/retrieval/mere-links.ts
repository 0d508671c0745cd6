import { findString } from '../collections/strings.js'
import type { SafeIndex } from '../index/safe-index.js'

/** What facts say that tell only that a note links to another. */
export const linksTo = 'links to'

/** The number of this predicate; -1 where no fact has it. */
export const linkPredicate = ({ predicates }: SafeIndex): number => findString(predicates, linksTo)
