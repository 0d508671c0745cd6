import type { ReadItem, ShownEntry } from '../../../domain/activity/entry.js'
import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import { showNumber } from '../../../platform/common/format.js'
import { activityTexts } from '../../../views/texts/activity.js'
import { homeTexts } from '../../../views/texts/home.js'
import { namePath } from '../safes/safe-links.js'
import { detailOf } from './entry-detail.js'

/** The view model of a line of `views/parts/recent.eta`: an event, briefly. */
export interface RecentLine {
  text: string
  /** The first thing that was read. */
  thing: { name: string; href: string } | null
  /** The text after the thing. */
  rest: string
  /** The Safe, on pages about several Safes. */
  safe: { name: string; href: string } | null
  age: string
  /** ISO 8601. */
  datetime: string
}

interface RecentView {
  /** The viewer's e-mail address, whose own name is left out. */
  email: string
  showsSafe: boolean
  ageOf(time: number): number
}

/** An entry in one line. */
export function recentLine(entry: ShownEntry, { email, showsSafe, ageOf }: RecentView): RecentLine {
  const { at, safe } = entry
  return {
    ...(entry.kind === 'question' ? readText(entry, email) : { ...NOTHING, text: eventText(entry, email) }),
    safe: showsSafe && safe ? { name: safe.name, href: `/safes/${safe.id}` } : null,
    age: ageText(ageOf(at)),
    datetime: new Date(at).toISOString(),
  }
}

const NOTHING = { thing: null, rest: '' }

/** "Claude read", "Lens Restoration", "and 3 more". */
function readText(entry: ShownEntry, email: string): Pick<RecentLine, 'text' | 'thing' | 'rest'> {
  const m = homeTexts.recent
  const who = whoOf(entry, email)
  const { safe, read } = entry
  const [item] = read
  if (item === undefined || !safe)
    return { ...NOTHING, text: entry.detail === 'overview' ? m.overview(who) : m.nothing(who) }
  const others = new Set(read.map(nameOf)).size - 1
  const name = nameOf(item)
  const safePath = `/safes/${safe.id}`
  return {
    text: m.read(who),
    thing: {
      name,
      href: item.length === 5 ? documentAddress(safePath, item[1]) : namePath(safePath, name),
    },
    rest: others > 0 ? m.more(others) : '',
  }
}

/** The name of a thing, or of the document that contains a passage: its title begins with that. */
const nameOf = (item: ReadItem) => (item.length === 5 ? (item[0].split(' > ', 1)[0] ?? item[0]) : item[0])

/** "notes.zip added (+120)", "Cursor · Disconnected · …". */
function eventText(entry: ShownEntry, email: string): string {
  const { kind, detail, facts, passages } = entry
  if (kind === 'imported') return homeTexts.recent.added(detail ?? '', showNumber(facts + passages))
  // A denied app has no connection; its name is the detail.
  const parts = [whoOf(entry, email), activityTexts.kinds[kind], kind === 'denied' ? detail : detailOf(entry)]
  return parts.filter(Boolean).join(' · ')
}

/** The assistant, with its user if that is somebody else; or the user, if that is somebody else. */
function whoOf({ assistant, email: user }: ShownEntry, email: string): string {
  const other = user === email ? '' : user
  if (!assistant) return other
  const name = assistant.name ?? activityTexts.forgotten
  return other ? homeTexts.recent.of(name, other) : name
}

function ageText(ms: number): string {
  const m = homeTexts.recent.ages
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return m.now
  if (minutes < 60) return m.minutes(minutes)
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? m.hours(hours) : m.days(Math.floor(hours / 24))
}
