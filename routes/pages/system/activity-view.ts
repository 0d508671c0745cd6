import type { ReadPassages, ShownEntry } from '../../../domain/activity/entry.js'
import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import { normalizeName } from '../../../engine/graph/index.js'
import { activityTexts } from '../../../views/texts/activity.js'
import { pathWith } from '../list.js'
import { shownTitle } from '../things/passage-view.js'
import { detailOf } from './entry-detail.js'
import type { SentenceName } from './sentence.js'
import type { Zone } from './zone.js'

/** The view model of a question in `views/parts/asked.eta`: the question, and the parts of the answer. */
export interface EntryView {
  time: string
  /** ISO 8601. */
  datetime: string
  question: string | null
  detail: string | null
  facts: { subject: SentenceName; predicate: string; object: SentenceName }[]
  passages: SentenceName[]
  /** The note that more was read than is stored. */
  cut: string | null
}

/** The page that lists entries. */
export interface ListView {
  /** The address of the list, to which the names of assistants link. */
  path: string
  /** Whether the entries belong to several accounts, or to several Safes. */
  showsAccount: boolean
  showsSafe: boolean
}

/** A question as shown unfolded in the story of an account or of a Safe. */
export function entryView(entry: ShownEntry, zone: Zone): EntryView {
  const { safe, read, facts, passages, at } = entry
  const left = facts + passages - read.length
  return {
    time: zone.clockOf(at),
    datetime: new Date(at).toISOString(),
    question: entry.question,
    detail: detailOf(entry),
    facts: read.flatMap(item =>
      item.length === 3
        ? [{ subject: thing(safe, item[0]), predicate: item[1], object: thing(safe, item[2]) }]
        : [],
    ),
    passages: passagesOf(entry),
    cut: left > 0 ? activityTexts.cut(left) : null,
  }
}

/** Several passages below one heading have one title, which is listed once. */
function passagesOf({ safe, read }: ShownEntry): SentenceName[] {
  const passages = read.flatMap(item => (item.length === 3 ? [] : [passage(safe, item)]))
  return passages.filter(({ text }, at) => passages.findIndex(other => other.text === text) === at)
}

/** A name that links to the page of its thing. */
function thing(safe: ShownEntry['safe'], name: string): SentenceName {
  const key = encodeURIComponent(normalizeName(name))
  return { text: name, href: safe && `/safes/${safe.id}/things/${key}` }
}

/** A title that links to its place in its document, otherwise to a question about it: it may name several things. */
function passage(safe: ShownEntry['safe'], item: readonly [string] | ReadPassages): SentenceName {
  const [title, path, , first] = item
  const text = shownTitle(title)
  if (!safe) return { text, href: null }
  const safePath = `/safes/${safe.id}`
  if (path === undefined) return { text, href: pathWith(safePath, { q: title }) }
  return { text, href: documentAddress(safePath, path, first || undefined) }
}
