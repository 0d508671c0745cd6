import { thingsTexts } from '../../../views/texts/things.js'
import { type BrowseQuery, browsePath } from '../safes/safe-links.js'
import { type BrowsePage, type Browsing, backTo, blankPage } from './browse-view.js'
import { passageViews } from './passage-view.js'

/** Passages per page. */
const PASSAGES = 20

/** All passages, or those about a thing or that mention it. */
export async function passageList(
  at: Browsing,
  { about, mentioning, after }: BrowseQuery,
): Promise<BrowsePage> {
  const { app, accountId, safe, path } = at
  const m = thingsTexts.browse
  const key = about ?? mentioning
  const row = /^([0-9]{1,15})\.([0-9]{1,15})$/.exec(after ?? '')
  const found = await app.safes.browse.passages(accountId, safe.id, {
    ...(key ? { key, mentioning: about === undefined } : {}),
    ...(row ? { after: { importId: Number(row[1]), id: Number(row[2]) } } : {}),
    limit: PASSAGES,
  })
  const shown = { passages: '1' as const, about, mentioning }
  return {
    ...blankPage(at),
    title: about ? m.passagesAbout(about) : mentioning ? m.passagesMentioning(mentioning) : m.allPassages,
    text: found.items.length === 0 ? m.noPassage : null,
    passages: await passageViews(path, found.items),
    more: found.hasMore && found.last ? browsePath(path, { ...shown, after: found.last }) : null,
    first: after === undefined ? null : browsePath(path, shown),
    subject: key ? backTo(path, key) : null,
    all: browsePath(path, {}),
  }
}
