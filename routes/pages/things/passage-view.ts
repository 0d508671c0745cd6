import type { BrowsedPassage } from '../../../domain/safes/browse/browse.js'
import { pathWith } from '../list.js'
import { browsePath, passagePath } from '../safes/safe-links.js'
import { passageHtml } from './passage-html.js'

/** The view model of `views/parts/passages.eta`. */
export interface PassageView {
  title: string
  /** Its place in its document. */
  href: string
  /** Its text, from `engine/rendering/`. */
  html: string
  time: string | null
  source: { name: string; href: string }
  /** For owners: link to the confirmation of its removal. */
  remove: string
}

/** “Plan › Later”: the title of a document and the headings above a passage. */
export const shownTitle = (title: string) => title.split(' > ').join(' › ')

/** Passages in a list, with links to the thing that each is about and to its source. */
export const passageViews = (safePath: string, passages: readonly BrowsedPassage[]): Promise<PassageView[]> =>
  Promise.all(passages.map(passage => passageView(safePath, passage)))

async function passageView(
  safePath: string,
  { id, title, text, time, source }: BrowsedPassage,
): Promise<PassageView> {
  const href = passagePath(safePath, id)
  return {
    title: shownTitle(title),
    href,
    html: await passageHtml(safePath, text),
    time,
    source: { name: source, href: browsePath(safePath, { source }) },
    remove: pathWith(`${safePath}/removed`, { passage: id }),
  }
}
