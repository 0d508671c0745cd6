import { thingsTexts } from '../../../views/texts/things.js'
import { type BrowseQuery, browsePath } from '../safes/safe-links.js'
import { type BrowsePage, type Browsing, backTo, blankPage } from './browse-view.js'
import { linkTo } from './thing-link.js'

/** Relations per page. */
const ROWS = 50

/** The relations of one kind; with `of`, those of one thing. */
export async function relationList(
  at: Browsing,
  { of: key, direction = 'out', after, after_object, after_period = '' }: BrowseQuery,
  relation: string,
): Promise<BrowsePage> {
  const { app, accountId, safe, path } = at
  const m = thingsTexts.browse
  const asked = {
    predicate: relation,
    ...(key ? { key, direction } : {}),
    ...(after !== undefined && after_object !== undefined
      ? { after: [after, after_object, after_period] as const }
      : {}),
  }
  const found = await app.safes.browse.relations(accountId, safe.id, {
    ...asked,
    limit: ROWS,
  })
  const shown = { relation, of: key, direction: key ? direction : undefined }
  return {
    ...blankPage(at),
    title: key ? m.relationsOf(relation, key) : m.relations(relation),
    text: found.items.length === 0 ? m.noRelation : null,
    relations: found.items.map(({ subject, predicate, object, times, sources }) => ({
      subject: linkTo(path, subject),
      predicate: { name: predicate, href: browsePath(path, { relation: predicate }) },
      object: linkTo(path, object),
      times,
      sources: sources.map(source => ({ name: source, href: browsePath(path, { source }) })),
    })),
    more:
      found.hasMore && found.last
        ? browsePath(path, {
            ...{ ...shown, after: found.last[0], after_object: found.last[1] },
            ...(found.last[2] === '' ? {} : { after_period: found.last[2] }),
          })
        : null,
    first: after === undefined ? null : browsePath(path, shown),
    subject: key ? backTo(path, key) : null,
    all: browsePath(path, {}),
  }
}
