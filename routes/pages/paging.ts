import { Type } from '@sinclair/typebox'

/** `after`: the id of the last item of the page before. Whatever is in no list leads to an empty page. */
export const PageQuery = Type.Object({
  after: Type.Optional(Type.String({ pattern: '^[0-9A-Za-z]{1,64}$' })),
})

/** A page of a list that was read one item further than it shows. */
export function cut<Item>(items: readonly Item[], limit: number): { items: Item[]; hasMore: boolean } {
  return { items: items.slice(0, limit), hasMore: items.length > limit }
}

/** A path with the parameters that have a value. */
export function pathWith(path: string, parameters: Record<string, string | number | undefined>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined && value !== '') search.set(name, String(value))
  const query = search.toString()
  return query === '' ? path : `${path}?${query}`
}
