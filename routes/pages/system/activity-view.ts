import type { ActivityKind, Entry, ReadPassages } from '../../../activity/entry.js'
import { showTime } from '../../../common/format.js'
import { normalizeName } from '../../../graph/text/text.js'
import { messages } from '../../../messages.js'
import { documentAddress } from '../../../safes/documents/document-address.js'
import { pathWith } from '../list.js'
import { detailOf } from './entry-detail.js'

/** A name with a link to what it names. */
interface Named {
  text: string
  href: string | null
}

/** The view model of an entry in `views/parts/activity.eta`. */
export interface EntryView {
  kind: string
  /** The colour of its kind. */
  tag: 'good' | 'warn' | ''
  assistant: Named | null
  /** Whether the assistant's name is only what it calls itself. */
  isUnverified: boolean
  safe: Named | null
  /** The account, where entries of several accounts are listed. */
  who: string | null
  time: string
  /** ISO 8601. */
  datetime: string
  question: string | null
  detail: string | null
  facts: { subject: Named; predicate: string; object: Named }[]
  passages: Named[]
  /** Says that more was read than is kept. */
  cut: string | null
}

/** Kinds that a person should look at. */
const WARNINGS: readonly ActivityKind[] = [
  'denied',
  'refresh-reused',
  'import-failed',
  'safe-removed',
  'signed-in-new',
  'sign-in-failed',
  'reset-link',
  'password-reset',
]

/** Where entries are listed. */
export interface ListView {
  /** The page of the list, to which the names of assistants link. */
  path: string
  /** Whether the entries belong to several accounts, or to several Safes. */
  showsAccount: boolean
  showsSafe: boolean
}

/** An entry as the page of an account or of a Safe lists it. */
export function entryView(entry: Entry, { path, showsAccount, showsSafe }: ListView): EntryView {
  const { kind, safe, read, facts, passages } = entry
  const left = facts + passages - read.length
  return {
    kind: messages.activity.kinds[kind],
    tag: WARNINGS.includes(kind) ? 'warn' : kind === 'question' ? 'good' : '',
    assistant: assistantOf(entry, path),
    isUnverified: entry.assistant?.isVerified === false,
    safe: showsSafe && safe ? { text: safe.name, href: `/safes/${safe.id}` } : null,
    who: showsAccount ? entry.email : null,
    time: showTime(entry.at),
    datetime: new Date(entry.at).toISOString(),
    question: entry.question,
    detail: detailOf(entry),
    facts: read.flatMap(item =>
      item.length === 3
        ? [{ subject: thing(safe, item[0]), predicate: item[1], object: thing(safe, item[2]) }]
        : [],
    ),
    passages: read.flatMap(item => (item.length === 3 ? [] : [passage(safe, item)])),
    cut: kind === 'question' && left > 0 ? messages.activity.cut(left) : null,
  }
}

function assistantOf({ kind, assistant, detail }: Entry, path: string): Named | null {
  // A denied assistant has no connection.
  if (kind === 'denied') return { text: detail ?? '', href: null }
  if (!assistant) return null
  const { connectionId, name } = assistant
  return { text: name ?? messages.activity.forgotten, href: pathWith(path, { connection: connectionId }) }
}

/** A name that links to the page of its thing. */
function thing(safe: Entry['safe'], name: string): Named {
  const key = encodeURIComponent(normalizeName(name))
  return { text: name, href: safe && `/safes/${safe.id}/things/${key}` }
}

/** A title that links to its place in its document, otherwise to a question about it: it may name several things. */
function passage(safe: Entry['safe'], item: readonly [string] | ReadPassages): Named {
  const [text, path, , first] = item
  if (!safe) return { text, href: null }
  const safePath = `/safes/${safe.id}`
  if (path === undefined) return { text, href: pathWith(safePath, { q: text }) }
  return { text, href: documentAddress(safePath, path, first || undefined) }
}
