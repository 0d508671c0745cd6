import type { FastifyInstance } from 'fastify'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import { showNumber } from '../../../platform/common/format.js'
import type { Page } from '../../../plugins/views.js'
import { thingsTexts } from '../../../views/texts/things.js'
import { type SafeHead, safeHead } from '../safes/safe-head.js'
import { browsePath } from '../safes/safe-links.js'
import type { PassageView } from './passage-view.js'
import { type CountedLink, linkTo, type ThingLink } from './thing-link.js'

/** The view model of `views/browse.eta`: one list of a Safe. */
export interface BrowsePage extends Page {
  head: SafeHead
  title: string
  /** The text before the list. */
  text: string | null
  /** The label of the search box. */
  search: string
  things: BrowsedThingRow[] | null
  relations: BrowsedRelationRow[] | null
  passages: PassageView[] | null
  /** Ways to sort the things. */
  sorts: { label: string; href: string; isCurrent: boolean }[]
  /** Lists to continue with; on the first page. */
  lists: { title: string; items: CountedLink[]; all: { label: string; href: string } | null }[]
  /** Links to the next page and to the first one. */
  more: string | null
  first: string | null
  /** The thing whose relations or passages are listed. */
  subject: ThingLink | null
  /** Where owners decide about duplicates; with all things. */
  duplicates: string | null
  /** Back to everything. */
  all: string | null
}

/** A thing in a list. */
interface BrowsedThingRow extends ThingLink {
  type: ThingLink | null
  relations: string
  passages: string
}

interface BrowsedRelationRow {
  subject: ThingLink
  predicate: ThingLink
  object: ThingLink
  /** Its period, as text. */
  times: string
  sources: ThingLink[]
}

/** A Safe, as one account browses it. */
export interface Browsing {
  app: FastifyInstance
  accountId: string
  safe: ReadableSafe
  /** The address of the Safe. */
  path: string
}

/** A page without lists. */
export const blankPage = ({ safe }: Browsing): BrowsePage => ({
  here: 'safes',
  head: safeHead(safe, 'things'),
  title: '',
  text: null,
  search: '',
  things: null,
  relations: null,
  passages: null,
  sorts: [],
  lists: [],
  more: null,
  first: null,
  subject: null,
  duplicates: null,
  all: null,
})

/** A thing in a list, with its known details. */
export function thingRow(
  path: string,
  item: { key: string; name: string; type: string | null; relations?: number; passages?: number },
): BrowsedThingRow {
  const { type, relations, passages } = item
  return {
    ...linkTo(path, item),
    type: type === null ? null : { name: type, href: browsePath(path, { type }) },
    relations: relations === undefined ? '' : showNumber(relations),
    passages: passages === undefined ? '' : showNumber(passages),
  }
}

/** A link back to the thing that a list is about. */
export const backTo = (path: string, key: string): ThingLink =>
  linkTo(path, { key, name: thingsTexts.picture.back(key) })
