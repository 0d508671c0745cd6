import type { BrowsedPassage } from '../../../safes/browse/browse.js'
import { browsePath, thingPath } from '../safes/safe-links.js'

/** The view model of `views/parts/passages.eta`. */
export interface PassageView {
  title: string
  /** The thing it is about. */
  href: string
  text: string
  time: string | null
  source: { name: string; href: string }
}

/** A passage in a list, with links to the thing that it is about and to its source. */
export function passageView(
  safePath: string,
  { about, title, text, time, source }: BrowsedPassage,
): PassageView {
  const href = thingPath(safePath, about.key)
  return { title, href, text, time, source: { name: source, href: browsePath(safePath, { source }) } }
}
