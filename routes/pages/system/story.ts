import type { ShownEntry } from '../../../domain/activity/entry.js'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/common/durations.js'
import { showDay } from '../../../platform/common/format.js'
import { activityTexts } from '../../../views/texts/activity.js'
import { type EntryView, entryView, type ListView } from './activity-view.js'
import type { Part } from './sentence.js'
import { type Group, saysOf, WARNINGS } from './story-words.js'
import type { Zone } from './zone.js'

/** The pause that ends a conversation, and the period in which runs of a folder are described together. */
const PAUSE_MS = 30 * MINUTE_MS

/** The events of one day, the latest first. */
export interface StoryDay {
  label: string
  items: StoryItem[]
}

/** One event, one conversation of an assistant, or the imports of one folder in an hour. */
interface StoryItem {
  says: Part[]
  /** Events that a person should look at. */
  warning: string | null
  detail: string | null
  /** Start and end; `until` is null for one event. */
  from: Moment
  until: Moment | null
  /** The questions of a conversation, the latest first. */
  questions: EntryView[]
}

interface Moment {
  text: string
  /** ISO 8601. */
  datetime: string
}

/** Entries, newest first, grouped by day. `now` determines which day is today. */
export function storyOf(entries: readonly ShownEntry[], view: ListView, zone: Zone, now: number): StoryDay[] {
  const days = new Map<string, StoryItem[]>()
  for (const group of groupsOf(entries)) {
    const day = zone.dayOf(group[0].at)
    days.set(day, [...(days.get(day) ?? []), itemOf(group, view, zone)])
  }
  return Array.from(days, ([day, items]) => ({ label: labelOf(day, zone, now), items }))
}

/** The questions of a conversation, and imports of one name, belong together, regardless of events between them. */
function groupsOf(entries: readonly ShownEntry[]): Group[] {
  const groups: Group[] = []
  const open = new Map<string, Group>()
  for (const entry of entries) {
    const key = keyOf(entry)
    const group = key === null ? undefined : open.get(key)
    if (group && belongs(group, entry)) group.push(entry)
    else {
      const begun: Group = [entry]
      groups.push(begun)
      if (key !== null) open.set(key, begun)
    }
  }
  return groups
}

function keyOf({ kind, assistant, safe, detail, email }: ShownEntry): string | null {
  if (kind === 'question') return ['question', assistant?.connectionId, safe?.id].join('\0')
  return kind === 'imported' ? ['imported', safe?.id, detail, email].join('\0') : null
}

function belongs(group: Group, { kind, at }: ShownEntry): boolean {
  const [newest] = group
  const oldest = group.at(-1) ?? newest
  return kind === 'question' ? oldest.at - at <= PAUSE_MS : newest.at - at <= HOUR_MS
}

function itemOf(group: Group, view: ListView, zone: Zone): StoryItem {
  const [newest] = group
  const oldest = group.at(-1) ?? newest
  const moment = (time: number) => ({ text: zone.clockOf(time), datetime: new Date(time).toISOString() })
  const [from, until] = [moment(oldest.at), moment(newest.at)]
  return {
    ...saysOf(group, view),
    warning: WARNINGS.includes(newest.kind) ? activityTexts.kinds[newest.kind] : null,
    from,
    until: from.text === until.text ? null : until,
    questions: newest.kind === 'question' ? group.map(entry => entryView(entry, zone)) : [],
  }
}

function labelOf(day: string, zone: Zone, now: number): string {
  if (day === zone.dayOf(now)) return activityTexts.today
  if (day === zone.dayOf(now - DAY_MS)) return activityTexts.yesterday
  return showDay(Date.parse(`${day}T12:00:00Z`))
}
