import { normalizeName } from '../../../engine/graph/index.js'
import { pathWith } from '../list.js'

/** The content of the Browse page, as parameters of its address. */
export interface BrowseQuery {
  type?: string | undefined
  relation?: string | undefined
  /** With `relation`: only those of this thing, in this direction. */
  of?: string | undefined
  direction?: 'out' | 'in' | undefined
  source?: string | undefined
  search?: string | undefined
  passages?: '1' | undefined
  /** Passages about this thing, or those that mention it. */
  about?: string | undefined
  mentioning?: string | undefined
  /** A whole list instead of its beginning. */
  list?: 'types' | 'relations' | undefined
  sort?: 'name' | 'relations' | undefined
  after?: string | undefined
  after_object?: string | undefined
  after_period?: string | undefined
}

/** The address of a list of a Safe. */
export const browsePath = (safePath: string, query: BrowseQuery) =>
  pathWith(`${safePath}/browse`, query as Record<string, string | undefined>)

/**
 * The address of a thing. A thing called "." or ".." has none, because browsers resolve it to another page; it
 * is only listed.
 */
export const thingPath = (safePath: string, key: string) =>
  key === '.' || key === '..'
    ? browsePath(safePath, { search: key })
    : `${safePath}/things/${encodeURIComponent(key)}`

/** The address of a passage, by its id in an answer. */
export const passagePath = (safePath: string, id: string) => `${safePath}/passages/${id}`

/** The address of the picture of a thing with two rings of its neighbourhood. */
export const picturePath = (safePath: string, key: string) => pathWith(`${safePath}/picture`, { of: key })

/** The address of a thing whose name an answer contains: for most things the key follows from the name. */
export const namePath = (safePath: string, name: string) => thingPath(safePath, normalizeName(name))
