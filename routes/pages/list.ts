import { Type } from '@sinclair/typebox'

/** `after` is the id of the last item of the previous page. An unknown id leads to an empty page. */
export const PageQuery = Type.Object({
  after: Type.Optional(Type.String({ pattern: '^[0-9A-Za-z]{1,64}$' })),
})

/** Cuts a list that was read with one extra item to its page, and tells whether more follow. */
export function cut<Item>(items: readonly Item[], limit: number): { items: Item[]; hasMore: boolean } {
  return { items: items.slice(0, limit), hasMore: items.length > limit }
}

/** A path with those parameters that have a value. */
export function pathWith(path: string, parameters: Record<string, string | number | undefined>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== '') search.set(name, String(value))
  const query = search.toString()
  return query === '' ? path : `${path}?${query}`
}
