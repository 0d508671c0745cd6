import type { Named } from '../../../domain/safes/browse/browse.js'
import { thingPath } from '../safes/safe-links.js'

/** A name with the address of what it names. */
export interface Link {
  name: string
  href: string
}

/** A link, and how many there are of what it names. */
export interface CountedLink extends Link {
  count: string
}

/** A link to the page of a thing. */
export const linkTo = (safePath: string, { key, name }: Named): Link => ({
  name,
  href: thingPath(safePath, key),
})
