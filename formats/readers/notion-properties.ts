/** A property of a page in a database, with values as a note has them: `[[path]]` for another page. */
interface NotionProperty {
  key: string
  values: string[]
}

const PROPERTY = /^(\p{L}[\p{L}\p{N} ._/&#-]{0,60}): (\S.{0,20000})$/u
/** `Boat (../Projects/Boat%20152b….md)`, several separated by commas. */
const RELATION = /[^(),]{1,300} \(([^()\s]{1,1000}\.md)\)/g
const DATE =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}, \d{4}(?: \d{1,2}:\d\d(?: [AP]M)?)?/
/** Characters of a choice, and how many there can be. */
const LONGEST_CHOICE = 30
const MOST_CHOICES = 20

/** Recognises the properties that Notion writes between a page's title and its text. */
export class NotionProperties {
  #state: 'title' | 'before' | 'inside' | 'after' = 'title'

  /** The property that this line is, or null if it is text. */
  read(line: string): NotionProperty | null {
    if (this.#state === 'after') return null
    if (this.#state === 'title') {
      if (line.trim() !== '') this.#state = line.startsWith('# ') ? 'before' : 'after'
      return null
    }
    const [, key, value] = PROPERTY.exec(line) ?? []
    if (key !== undefined && value !== undefined) {
      this.#state = 'inside'
      return { key: keyOf(key), values: valuesOf(value.trim()) }
    }
    if (line.trim() !== '' || this.#state === 'inside') this.#state = 'after'
    return null
  }
}

const TIMES: Readonly<Record<string, string>> = { 'created time': 'created', 'last edited time': 'updated' }

const keyOf = (key: string) => TIMES[key.trim().toLowerCase()] ?? key.trim()

function valuesOf(value: string): string[] {
  const links = [...value.matchAll(RELATION)].map(([, path = '']) => `[[${decoded(path)}]]`)
  if (links.length > 0) return links
  const day = DATE.exec(value)?.[0]
  if (day !== undefined) return [isoOf(day) + value.slice(day.length)]
  const choices = value.split(', ')
  const isList = choices.length <= MOST_CHOICES && choices.every(choice => choice.length <= LONGEST_CHOICE)
  return isList ? choices : [value]
}

function isoOf(day: string): string {
  const time = Date.parse(`${day} UTC`)
  return Number.isNaN(time) ? day : new Date(time).toISOString().slice(0, /:/.test(day) ? 16 : 10)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
