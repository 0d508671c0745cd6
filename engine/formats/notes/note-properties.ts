import { words } from '../../../platform/common/words.js'
import type { GraphRecord } from '../../graph/index.js'
import { datedValue } from './note-dates.js'
import { isSameName } from './note-headings.js'
import { linkOf } from './note-line.js'

/** The result of reading a property of a note's front matter, besides records. */
interface PropertyContent {
  records: GraphRecord[]
  /** The date of the note, in milliseconds since 1970. */
  time: number | undefined
  /**
   * The property as a line of the note's first passage, for values that should be searchable but are not
   * relations.
   */
  text: string | null
}

/** Properties with settings of programs, unrelated to the note's subject. */
const SETTINGS = words(`id uuid collapsed heading background-color created-at updated-at created_at
  updated_at cssclass cssclasses publish position kanban-plugin excalidraw-plugin permalink slug image
  cover layout lang icon draft toc hide public filters file-path template nav_order has_children
  sidebar_position sidebar_label sidebar_class_name displayed_sidebar custom_edit_url pagination_label
  pagination_next pagination_prev hide_title hide_table_of_contents toc_min_heading_level
  toc_max_heading_level`)

/** Whether a property is a setting. */
export function isSetting(key: string): boolean {
  const name = key.trim().toLowerCase()
  return SETTINGS.has(name) || /^(?:logseq|card-|hl-|ls-type|query-)/.test(name)
}

/** Whether a property gives the note other names. */
export const isName = (key: string) => /^(?:alias|aliases|title)$/i.test(key.trim())

/** Properties read as text because their values are not names. */
const AS_TEXT = new Set(['url', 'description', 'summary', 'abstract', 'excerpt'])

/** Properties with the date of the note, best first. */
const DATES = ['date', 'day', 'created', 'date created', 'published', 'updated', 'modified', 'date modified']

/** Maximum characters of a name; longer values are texts. */
const MAX_VALUE_LENGTH = 80

/** The contents of a note's property. `linked` returns the name of the note that a link refers to. */
export function contentOf(
  note: string,
  key: string,
  values: readonly string[],
  linked: (target: string) => string,
): PropertyContent {
  const name = key.trim().toLowerCase()
  if (isSetting(key)) return { records: [], time: undefined, text: null }
  const undated = values.map(withoutDates)
  const time = dateRank(key) < 0 ? undefined : timeOf(undated[0] ?? '')
  const content = (records: GraphRecord[], texts: readonly string[] = []) => ({
    records,
    time,
    text: texts.length > 0 ? `${key.trim()}: ${texts.join(', ')}` : null,
  })
  if (isName(key)) {
    const aliases = (name === 'title' ? undated : undated.flatMap(separated)).map(
      text => linkOf(text) ?? text,
    )
    return content(
      aliases.map(alias => ({ kind: 'alias', entity: note, alias })),
      aliases.filter(alias => !isSameName(alias, note)),
    )
  }
  if (name === 'tag' || name === 'tags') return content(tagsOf(note, undated))
  const type = linkOf(undated[0] ?? '') ?? undated[0] ?? ''
  if (name === 'type') return content([{ kind: 'entity', id: note, name: note, type }])
  const texts: string[] = []
  const records = values.flatMap(value => {
    const found = relationOf(note, key, value, linked)
    if (typeof found !== 'string') return found ?? []
    texts.push(found)
    return []
  })
  return content(records, texts)
}

/** Removes the dates after a link; in any other value they may be part of a name. */
function withoutDates(text: string): string {
  const { value } = datedValue(text)
  return linkOf(value) === null ? text : value
}

/** Rank of a property as the date of a note, lower is better; -1 for any other. */
export const dateRank = (key: string) => DATES.indexOf(key.trim().toLowerCase().replace('-', ' '))

const tagsOf = (subject: string, values: readonly string[]) =>
  values
    .flatMap(separated)
    .flatMap(value => linkOf(value) ?? value.split(/\s+/))
    .map(tag => tag.replace(/^#/, ''))
    .filter(Boolean)
    .map((object): GraphRecord => ({ kind: 'relation', subject, predicate: 'tagged', object }))

/** A value as a relation or, if it is not a name, as text; null if it is empty or the note itself. */
function relationOf(
  subject: string,
  key: string,
  text: string,
  linked: (target: string) => string,
): GraphRecord | string | null {
  const { value, times } = datedValue(text)
  const link = linkOf(value)
  const object = link === null ? value.trim() : linked(link)
  if (object === '' || object === subject) return null
  const isText = AS_TEXT.has(key.trim().toLowerCase())
  if (link !== null && isText) return { kind: 'relation', subject, predicate: 'links to', object }
  if (link === null && (isText || object.length > MAX_VALUE_LENGTH || isPlainValue(object)))
    return text.trim()
  return { kind: 'relation', subject, predicate: key.trim(), object, ...times }
}

/** Numbers, sums, booleans, dates, times, addresses and ranges of them, which should not become entities. */
const isPlainValue = (value: string) => value.split(' → ').every(isPlain)

function isPlain(value: string): boolean {
  return (
    /^[+-]?[$€£¥₩]?[\d.,:_ ]{1,40}%?$/.test(value) ||
    /^(?:true|false|yes|no|null|none|~)$/i.test(value) ||
    /^\d{4}[-_/]\d\d[-_/]\d\d(?:[T ][\d:.]{4,20}(?:Z|[+-][\d:]{2,5})?)?$/.test(value) ||
    /^[a-z][a-z+.-]{1,20}:\/\//i.test(value)
  )
}

/**
 * Parses `2024-01-31`, as in dates and names of daily notes (Logseq: `2024_01_31`), with an optional time. Without
 * an offset the time is UTC.
 */
export function timeOf(text: string): number | undefined {
  const value = linkOf(text) ?? text.trim()
  const found = /^(\d{4})[-_/](\d\d)[-_/](\d\d)(?!\d)(.{0,40})/s.exec(value)
  if (!found) return undefined
  const [, year, month, day, rest = ''] = found
  const date = `${year}-${month}-${day}`
  const midnight = Date.parse(date)
  // `Date` accepts 30 February as 1 March.
  if (new Date(midnight).getUTCDate() !== Number(day)) return undefined
  const clock = /^[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?) ?(Z|[+-]\d\d:?\d\d)?$/.exec(rest.trimEnd())
  if (!clock) return midnight
  const time = Date.parse(`${date}T${clock[1]}${withColon(clock[2] ?? 'Z')}`)
  return Number.isNaN(time) ? midnight : time
}

/** `+0200` → `+02:00` */
const withColon = (offset: string) => offset.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')

/** Other names of a Logseq journal page (`2024_01_31`): the ISO date, and the form Logseq displays. */
export function journalNames(name: string): string[] {
  if (!/^\d{4}_\d\d_\d\d$/.test(name)) return []
  const time = timeOf(name)
  if (time === undefined) return []
  const date = new Date(time)
  const day = date.getUTCDate()
  const month = date.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' })
  return [name.replaceAll('_', '-'), `${month} ${day}${ordinalEnd(day)}, ${date.getUTCFullYear()}`]
}

function ordinalEnd(day: number): string {
  if (day > 10 && day < 14) return 'th'
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'
}

/** `a, b` → `a`, `b`; links are not split. */
const separated = (value: string) =>
  linkOf(value) !== null
    ? [value]
    : value
        .split(',')
        .map(part => part.trim())
        .filter(Boolean)
