import { showNumber } from '../../../platform/common/format.js'
import { thingsTexts } from '../../../views/texts/things.js'
import { browsePath } from '../safes/safe-links.js'
import { type BrowsePage, type Browsing, blankPage } from './browse-view.js'
import type { CountedLink } from './thing-link.js'

/** Items shown at first, and of a whole list. */
const LISTED = 20
const LISTED_WHOLE = 500

/** All types, or all relations. */
export async function wholeList(at: Browsing, list: 'types' | 'relations'): Promise<BrowsePage> {
  const { app, accountId, safe, path } = at
  const m = thingsTexts.browse
  const { counts, types, predicates } = await app.safes.browse.contents(accountId, safe.id, LISTED_WHOLE)
  const items = list === 'types' ? typeLinks(path, types) : relationLinks(path, predicates)
  const left = list === 'types' ? counts.types - types.length : counts.predicates - predicates.length
  return {
    ...blankPage(at),
    title: m.lists[list],
    text: left > 0 ? m.others(left) : null,
    lists: [{ title: m.mostFrequent, items, all: null }],
    all: browsePath(path, {}),
  }
}

/** The most frequent types and relations, and the newest files. */
export async function firstLists(at: Browsing): Promise<BrowsePage['lists']> {
  const { app, accountId, safe, path } = at
  const m = thingsTexts.browse
  const [{ counts, types, predicates }, imports] = await Promise.all([
    app.safes.browse.contents(accountId, safe.id, LISTED),
    app.safes.imports.list(accountId, safe.id, { limit: LISTED + 1 }),
  ])
  const all = (count: number, list: 'types' | 'relations') =>
    count > 0 ? { label: m.others(count), href: browsePath(path, { list }) } : null
  const sources = imports.filter(({ status, merged }) => status === 'committed' && !merged).slice(0, LISTED)
  const files = [...new Map(sources.map(item => [item.source, item]))].map(([source, { counts }]) => ({
    name: source,
    href: browsePath(path, { source }),
    count: showNumber(counts.entities),
  }))
  const passages = {
    name: m.allPassages,
    href: browsePath(path, { passages: '1' }),
    count: showNumber(counts.passages),
  }
  return [
    {
      title: m.lists.types,
      items: typeLinks(path, types),
      all: all(counts.types - types.length, 'types'),
    },
    {
      title: m.lists.relations,
      items: relationLinks(path, predicates),
      all: all(counts.predicates - predicates.length, 'relations'),
    },
    {
      title: m.lists.sources,
      items: files,
      all: imports.length > LISTED ? { label: m.allFiles, href: `${path}/files` } : null,
    },
    { title: m.lists.passages, items: counts.passages > 0 ? [passages] : [], all: null },
  ].filter(({ items }) => items.length > 0)
}

/** Types as links to their things. */
export function typeLinks(path: string, types: readonly { type: string; count: number }[]): CountedLink[] {
  return types.map(({ type, count }) => ({
    name: type,
    href: browsePath(path, { type }),
    count: showNumber(count),
  }))
}

function relationLinks(
  path: string,
  predicates: readonly { predicate: string; count: number }[],
): CountedLink[] {
  return predicates.map(({ predicate, count }) => ({
    name: predicate,
    href: browsePath(path, { relation: predicate }),
    count: showNumber(count),
  }))
}
