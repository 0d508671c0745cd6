import { thingsTexts } from '../../../views/texts/things.js'
import { type BrowseQuery, browsePath } from '../safes/safe-links.js'
import { firstLists } from './browse-lists.js'
import { type BrowsePage, type Browsing, blankPage, thingRow } from './browse-view.js'

/** Things per page. */
const ROWS = 50

/** All things of a Safe, or those of a type or with a name. */
export async function thingList(
  at: Browsing,
  { type, search = '', sort: chosen, after }: BrowseQuery,
): Promise<BrowsePage> {
  const { app, accountId, safe, path } = at
  const m = thingsTexts.browse
  const name = search.trim()
  // By name, the things of a library of notes would be its documents again.
  const usual = safe.counts.documents * 2 > safe.counts.entities ? 'relations' : 'name'
  const sort = chosen ?? usual
  const asked = { ...(type ? { type } : {}), ...(name ? { search: name } : {}), sort, limit: ROWS }
  const things = await app.safes.browse.things(accountId, safe.id, {
    ...asked,
    ...(after ? { after } : {}),
  })
  const shown = { type, search: name, sort: sort === usual ? undefined : sort }
  const isAll = !type && name === ''
  const none = name ? m.noName(name) : m.nothing
  return {
    ...blankPage(at),
    title: name ? m.named(name) : type ? m.ofType(type) : m.allThings,
    text: things.items.length === 0 ? none : things.isCut ? m.manyNames : null,
    search: name,
    things: things.items.map(item => thingRow(path, item)),
    sorts: (['name', 'relations'] as const).map(way => ({
      label: m.sorts[way],
      href: browsePath(path, { ...shown, sort: way === usual ? undefined : way }),
      isCurrent: way === sort,
    })),
    lists: isAll && !after ? await firstLists(at) : [],
    more: things.hasMore ? browsePath(path, { ...shown, after: things.items.at(-1)?.key }) : null,
    first: after ? browsePath(path, shown) : null,
    duplicates: isAll && safe.role === 'owner' ? `${path}/duplicates` : null,
    all: isAll ? null : browsePath(path, {}),
  }
}

/** The things that a file added. */
export async function sourceList(at: Browsing, { after }: BrowseQuery, source: string): Promise<BrowsePage> {
  const { app, accountId, safe, path } = at
  const m = thingsTexts.browse
  const asked = { source, limit: ROWS, ...(after ? { after } : {}) }
  const found = await app.safes.browse.thingsFrom(accountId, safe.id, asked)
  const items = found?.items ?? []
  return {
    ...blankPage(at),
    title: m.fromSource(source),
    text: found === null ? m.noSource : items.length === 0 ? m.nothing : null,
    things: items.map(item => thingRow(path, item)),
    more: found?.hasMore ? browsePath(path, { source, after: items.at(-1)?.key }) : null,
    first: after ? browsePath(path, { source }) : null,
    all: browsePath(path, {}),
  }
}
