import { withIsoDate } from '../archives/written-date.js'

/** A property of a page in a database, with values as a note has them: `[[path]]` for another page. */
interface NotionProperty {
  key: string
  values: string[]
}

/** A name of anything but what begins a heading, a list or a quote: `🏷️ Tags: Summer`. */
const PROPERTY = /^(?!#{1,6} |\d{1,9}[.)] )([^\s:|!<>`[\]*+-][^:<>`[\]*]{0,60}): (\S.{0,20000})$/u
/** An address of a page, in the export or not. */
const PAGE = /^(?:\S{1,1000}\.md|https:\/\/www\.notion\.so\/\S{1,1000})$/
/** What a page is called in its address, and its id. */
const ADDRESS = /\/([^/?]{1,300})-[0-9a-f]{32}(?:\?|$)/
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

/** Names that Notion gives the times of a page, in languages whose exports were seen. */
const TIMES: Readonly<Record<string, string>> = {
  'created time': 'created',
  'created at': 'created',
  'date created': 'created',
  erstellt: 'created',
  작성일시: 'created',
  '생성 일시': 'created',
  作成日時: 'created',
  创建时间: 'created',
  'last edited time': 'updated',
}

const keyOf = (key: string) => TIMES[key.trim().toLowerCase()] ?? key.trim()

function valuesOf(value: string): string[] {
  const choices = value.split(', ')
  const related = choices.flatMap(relatedOf)
  if (related.length > 0) return related
  const dates = value.split(' → ').map(withIsoDate).join(' → ')
  if (dates !== value) return [dates]
  const isList = choices.length <= MOST_CHOICES && choices.every(choice => choice.length <= LONGEST_CHOICE)
  return isList ? choices : [value]
}

/** The page that a relation leads to, `Boat (../Projects/Boat%20152b….md)`: one of the export as a link, any other by its name. */
function relatedOf(text: string): string[] {
  const at = text.endsWith(')') ? text.lastIndexOf(' (') : -1
  const address = at < 0 ? text : text.slice(at + 2, -1)
  if (!PAGE.test(address)) return []
  if (address.endsWith('.md')) return [`[[${decoded(address)}]]`]
  const title = at < 0 ? ADDRESS.exec(address)?.[1]?.replaceAll('-', ' ') : text.slice(0, at)
  return title === undefined ? [] : [decoded(title)]
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
