import { findString } from '../collections/strings.js'
import type { SafeIndex } from '../index/safe-index.js'

/** The predicate of facts that only say that one note links to another. */
export const LINKS_TO = 'links to'

/** The number of this predicate, or -1 if no fact has it. */
export const linkPredicate = ({ predicates }: SafeIndex): number => findString(predicates, LINKS_TO)
