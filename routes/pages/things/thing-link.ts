import type { NamedThing } from '../../../domain/safes/browse/browse.js'
import { thingPath } from '../safes/safe-links.js'

/** A name with its address. */
export interface ThingLink {
  name: string
  href: string
}

/** A link, and the number of items it leads to. */
export interface CountedLink extends ThingLink {
  count: string
}

/** A link to the page of a thing. */
export const linkTo = (safePath: string, { key, name }: NamedThing): ThingLink => ({
  name,
  href: thingPath(safePath, key),
})
