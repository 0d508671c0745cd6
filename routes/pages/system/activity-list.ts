import { type Static, Type } from '@sinclair/typebox'
import type { ActivityFilter, EntryList, FilterChoices } from '../../../activity/activity.js'
import { activityKinds } from '../../../activity/entry.js'
import { messages } from '../../../messages.js'
import type { Page } from '../../../plugins/views.js'
import { PageQuery, pathWith } from '../list.js'
import type { SafeHead } from '../safes/safe-head.js'
import { type Choice, choicesFrom, kindChoices } from './activity-choices.js'
import { type EntryView, entryView, type ListView } from './activity-view.js'
import type { RecentLine } from './recent.js'

declare module '../../../plugins/views.js' {
  interface Pages {
    activity: ActivityPage
    'safe-activity': ActivityPage & { head: SafeHead }
  }
}

interface ActivityPage extends Page {
  lead: string
  /** The action of the filter. */
  path: string
  kinds: Choice[]
  assistants: Choice[]
  /** Empty on the page of a Safe. */
  safes: Choice[]
  isFiltered: boolean
  entries: EntryView[]
  /** The sentence for an empty list. */
  empty: string | null
  /** Links to the next page, to the first one, and to the whole list as CSV. */
  more: string | null
  first: string | null
  csv: string
  /** What the account should know and has not seen: on its own first page. */
  news: RecentLine[]
}

/** Entries per page. */
export const ACTIVITY_PAGE = 50
/** Entries per part of a file. */
export const CSV_PAGE = 500

const Id = Type.Optional(Type.String({ pattern: '^[0-9A-Za-z]{0,64}$' }))
/** The filters of a list. A form sends an empty value for "all". */
export const ActivityQuery = Type.Intersect([
  PageQuery,
  Type.Object({
    kind: Type.Optional(Type.Union([...activityKinds, ''].map(kind => Type.Literal(kind)))),
    connection: Id,
    safe: Id,
  }),
])
type Query = Static<typeof ActivityQuery>

/** What the query of a list asks for. */
export function filterOf({
  kind,
  connection,
  safe,
}: Pick<Query, 'kind' | 'connection' | 'safe'>): ActivityFilter {
  const known = activityKinds.find(each => each === kind)
  return { kind: known, connectionId: connection || undefined, safeId: safe || undefined }
}

/** The parts that the page of an account and that of a Safe have in common. */
export function activityPage(
  query: Query,
  { entries, next }: EntryList,
  choices: FilterChoices,
  view: ListView,
) {
  const { path } = view
  const { kind = '', connection = '', safe = '', after } = query
  const filters = { kind, connection, safe }
  const isFiltered = kind !== '' || connection !== '' || safe !== ''
  const none = isFiltered || after ? messages.activity.noMatch : messages.activity.none
  return {
    path,
    kinds: kindChoices(kind),
    assistants: choicesFrom(choices.assistants, connection, messages.activity.allAssistants),
    isFiltered,
    entries: entries.map(entry => entryView(entry, view)),
    empty: entries.length > 0 ? null : next ? messages.activity.noMatchYet : none,
    more: next === null ? null : pathWith(path, { ...filters, after: next }),
    first: after ? pathWith(path, filters) : null,
    csv: pathWith(`${path}.csv`, filters),
  }
}
