import { type ConnectionChoice, MAX_CHOSEN_SAFES } from '../../../domain/oauth/connections/choice.js'
import { oauthTexts } from '../../../domain/oauth/texts.js'
import type { Safes } from '../../../domain/safes/safes.js'
import { isId } from '../../../platform/common/secrets.js'
import { readPage } from '../list.js'

/** The view model of `views/parts/safe-choice.eta`: which Safes a connection may read. */
export interface SafeChoice {
  safes: OfferedSafe[]
  /** The page of the list in `safes`, or null if `safes` is complete. */
  list: SafeList | null
  /** "Only the ticked Safes" is chosen. */
  only: boolean
  /** The list is long enough to scroll. */
  isLong: boolean
}

interface OfferedSafe {
  id: string
  name: string
  chosen: boolean
}

/** A page of the Safes of an account that has many. */
interface SafeList {
  /** The search text. */
  search: string
  /** The id of the Safe before this page, or empty for the first page. */
  after: string
  /** The value of `after` for the next page, or null if this is the last page. */
  next: string | null
  /** The number of Safes on this page. */
  found: number
}

/** The page of the list to show. */
type ListPosition = Pick<SafeList, 'search' | 'after'>

type ChosenSafes = Pick<ConnectionChoice, 'safeIds' | 'only'>
type Fields = Record<string, unknown>

/** The number of Safes on a page. */
const PAGE_SIZE = 100
const MAX_SEARCH_LENGTH = 100
/** Maximum Safes in a list that does not scroll. */
const MAX_WITHOUT_SCROLLING = 8

const FIRST_PAGE: ListPosition = { search: '', after: '' }

/**
 * Offers the Safes of an account, a page at a time. Safes ticked on another page come first, so that they stay
 * ticked. Without a choice yet, the only Safe of an account is ticked.
 */
export async function offerSafes(
  safes: Safes,
  accountId: string,
  choice: ChosenSafes | null,
  { search, after }: ListPosition = FIRST_PAGE,
): Promise<SafeChoice> {
  const { items, hasMore } = await readPage(PAGE_SIZE, after || undefined, page =>
    safes.readableBy(accountId, { ...page, search }),
  )
  const isComplete = !hasMore && search === '' && after === ''
  const onlySafe = isComplete && items.length === 1 ? items : []
  const chosen = choice?.safeIds.slice(0, MAX_CHOSEN_SAFES) ?? onlySafe.map(({ id }) => id)
  const elsewhere = chosen.filter(id => !items.some(safe => safe.id === id))
  const kept = isComplete ? [] : await safes.readableAmong(accountId, elsewhere)
  const offered = [...kept, ...items].map(({ id, name }) => ({ id, name, chosen: chosen.includes(id) }))
  const next = hasMore ? (items.at(-1)?.id ?? null) : null
  return {
    safes: offered,
    list: isComplete ? null : { search, after, next, found: items.length },
    only: choice?.only ?? false,
    isLong: offered.length > MAX_WITHOUT_SCROLLING,
  }
}

/** Reads the submitted choice. `safe` may be repeated; an empty one means all Safes (DESIGN §5.11). */
export function chosenIn({ safe, only }: Fields): ChosenSafes {
  const values = [safe ?? []].flat().filter(value => typeof value === 'string' && value !== '')
  return { safeIds: [...new Set(values as string[])], only: only !== undefined && only !== '' }
}

/** The error of a choice that is too large to be kept while paging, if it is. */
export const tooManyChosen = ({ safeIds }: ChosenSafes): string | undefined =>
  safeIds.length > MAX_CHOSEN_SAFES ? oauthTexts.tooManySafes(MAX_CHOSEN_SAFES) : undefined

/** The page of the list that the form requests. By default, the page that was shown. */
export function positionIn({ search, after, list }: Fields): ListPosition {
  const wanted = typeof list === 'string' ? list : after
  return {
    search: typeof search === 'string' ? search.trim().slice(0, MAX_SEARCH_LENGTH) : '',
    after: typeof wanted === 'string' && isId(wanted) ? wanted : '',
  }
}
