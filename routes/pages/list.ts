import { Type } from '@sinclair/typebox'
import { IdField } from './params.js'

/** `after` is the id of the last item of the previous page. An unknown id leads to an empty page. */
export const PageQuery = Type.Object({ after: Type.Optional(IdField()) })

/** Parameters of an address; those without a value are left out. */
type AddressParameters = Record<string, string | number | undefined>

/** One page of a list. */
interface ListPage<Item> {
  items: Item[]
  hasMore: boolean
}

/** Cuts a list that was read with one extra item to its page, and returns whether more follow. */
export function cut<Item>(items: readonly Item[], limit: number): ListPage<Item> {
  return { items: items.slice(0, limit), hasMore: items.length > limit }
}

/**
 * Reads one page of a list, with one extra item that shows whether more follow.
 * @param after the end of the previous page; undefined for the first page
 */
export async function readPage<Item, After extends string | number>(
  limit: number,
  after: After | undefined,
  read: (page: { limit: number; after?: After }) => Promise<readonly Item[]>,
): Promise<ListPage<Item>> {
  return cut(await read({ limit: limit + 1, ...(after === undefined ? {} : { after }) }), limit)
}

/**
 * Links from a page of a list to the next page, whose address contains the end of this one, and to the first one.
 * @param filters parameters that both addresses keep
 */
export function pageLinks<Item>(
  path: string,
  { items, hasMore }: ListPage<Item>,
  after: string | undefined,
  endOf: (last: Item) => AddressParameters,
  filters: AddressParameters = {},
): { more: string | null; first: string | null } {
  const last = items.at(-1)
  return {
    more: hasMore && last !== undefined ? pathWith(path, { ...filters, ...endOf(last) }) : null,
    first: after === undefined ? null : pathWith(path, filters),
  }
}

/** A path with those parameters that have a value. */
export function pathWith(path: string, parameters: AddressParameters): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== '') search.set(name, String(value))
  const query = search.toString()
  return query === '' ? path : `${path}?${query}`
}
