import { type Static, Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { ActivityFilter, EntryList, FilterChoices } from '../../../domain/activity/activity.js'
import { ACTIVITY_KINDS } from '../../../domain/activity/entry.js'
import { DAY_MS } from '../../../platform/common/durations.js'
import type { Page } from '../../../plugins/views.js'
import { activityTexts } from '../../../views/texts/activity.js'
import { PageQuery, pathWith } from '../list.js'
import { choicesFrom, type FilterOption, kindChoices } from './activity-choices.js'
import type { ListView } from './activity-view.js'
import type { RecentLine } from './recent.js'
import { type StoryDay, storyOf } from './story.js'
import { Zone } from './zone.js'

export interface ActivityPage extends Page {
  lead: string
  /** The action of the filter. */
  path: string
  kinds: FilterOption[]
  assistants: FilterOption[]
  /** Empty on the page of a Safe. */
  safes: FilterOption[]
  isFiltered: boolean
  from: string
  to: string
  days: StoryDay[]
  /** The sentence for an empty list. */
  empty: string | null
  /** Links to the next page, to the first one, and to the whole list as CSV. */
  more: string | null
  first: string | null
  csv: string
  /** Unseen notices of the account: on its own first page. */
  news: RecentLine[]
}

/** Entries per page. */
export const ACTIVITY_PAGE = 50
/** Entries per part of a file. */
export const CSV_PAGE = 500

const Id = Type.Optional(Type.String({ pattern: '^[0-9A-Za-z]{0,64}$' }))
/** A day such as `2026-05-12`, or nothing. */
const Day = Type.Optional(Type.String({ pattern: '^(?:\\d{4}-\\d{2}-\\d{2})?$' }))
/** The filters of a list. A form sends an empty value for "all". */
export const ActivityQuery = Type.Intersect([
  PageQuery,
  Type.Object({
    kind: Type.Optional(Type.Union([...ACTIVITY_KINDS, ''].map(kind => Type.Literal(kind)))),
    connection: Id,
    safe: Id,
    from: Day,
    to: Day,
  }),
])
type Query = Static<typeof ActivityQuery>

/** The filters in the query of a list; its days are those of the zone, both included. */
export function filterOf({ kind, connection, safe, from, to }: Query, zone: Zone): ActivityFilter {
  const known = ACTIVITY_KINDS.find(each => each === kind)
  return {
    kind: known,
    connectionId: connection || undefined,
    safeId: safe || undefined,
    since: from ? zone.startOf(from) || undefined : undefined,
    until: to ? zone.startOf(nextDay(to)) || undefined : undefined,
  }
}

/** Empty if there is no such day. */
function nextDay(day: string): string {
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) ? '' : new Date(time + DAY_MS).toISOString().slice(0, 10)
}

/** The zone of the reader, as sent by `public/page.js`. */
export const zoneOf = ({ server, headers }: FastifyRequest) =>
  new Zone(server.parseCookie(headers.cookie ?? '').zone ?? '')

/** The common parts of the activity pages of an account and of a Safe. */
export function activityPage(
  query: Query,
  { entries, next }: EntryList,
  choices: FilterChoices,
  view: ListView,
  { zone, now }: { zone: Zone; now: number },
) {
  const { path } = view
  const { kind = '', connection = '', safe = '', from = '', to = '', after } = query
  const filters = { kind, connection, safe, from, to }
  const isFiltered = Object.values(filters).some(value => value !== '')
  const none = isFiltered || after ? activityTexts.noMatch : activityTexts.none
  return {
    path,
    kinds: kindChoices(kind),
    assistants: choicesFrom(choices.assistants, connection, activityTexts.allAssistants),
    isFiltered,
    from,
    to,
    days: storyOf(entries, view, zone, now),
    empty: entries.length > 0 ? null : next ? activityTexts.noMatchYet : none,
    more: next === null ? null : pathWith(path, { ...filters, after: next }),
    first: after ? pathWith(path, filters) : null,
    csv: pathWith(`${path}.csv`, filters),
  }
}
