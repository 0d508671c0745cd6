import { decodedUri } from '../../../platform/common/decoded-uri.js'
import { withIsoDate } from '../archives/written-date.js'
import type { SourceFile } from '../shared/format.js'
import { readLines } from '../shared/lines.js'
import { withoutNotionIds } from './notion-paths.js'
import { type NoteProperty, tagValue } from './rewritten-note.js'

/** A property such as `🏷️ Tags: Summer`; names do not begin like a heading, list or quote. */
const PROPERTY = /^(?!#{1,6} |\d{1,9}[.)] )([^\s:|!<>`[\]*+-][^:<>`[\]*]{0,60}): (\S.{0,20000})$/u
/** The address of a page, inside or outside the export. */
const PAGE = /^(?:\S{1,1000}\.md|https:\/\/www\.notion\.so\/\S{1,1000})$/
/** The name and the id of a page in its address. */
const ADDRESS = /\/([^/?]{1,300})-[0-9a-f]{32}(?:\?|$)/
/** Maximum characters of a choice, and maximum choices. */
const MAX_CHOICE_LENGTH = 30
const MAX_CHOICES = 20

/** Recognises the properties that Notion writes between a page's title and its text. */
export class NotionProperties {
  #state: 'title' | 'before' | 'inside' | 'after' = 'title'

  /** The property that this line is, with `[[path]]` for another page, or null if it is text. */
  read(line: string): NoteProperty | null {
    if (this.#state === 'after') return null
    if (this.#state === 'title') {
      if (line.trim() !== '') this.#state = line.startsWith('# ') ? 'before' : 'after'
      return null
    }
    const [, key, value] = PROPERTY.exec(line) ?? []
    if (key !== undefined && value !== undefined) {
      this.#state = 'inside'
      return { key: keyOf(key), values: TAGS.test(key) ? tagsOf(value) : valuesOf(value.trim()) }
    }
    if (line.trim() !== '' || this.#state === 'inside') this.#state = 'after'
    return null
  }
}

const TAGS = /^tags?$/i
const tagsOf = (value: string) => value.split(',').map(tag => tagValue(tag.trim()))

/** Notion's names for page times, in the languages of known exports. */
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

/** Links to pages and files of the export, as written by `notionText`. */
const LINKED = /\[([^[\]]{1,300})\]\(<?([^<>()]{1,1000})>?\)(?:, |$)/g

function valuesOf(value: string): string[] {
  const linked = [...value.matchAll(LINKED)].map(([, label = '', path = '']) =>
    path.endsWith('.md') ? `[[${decodedUri(path)}]]` : label,
  )
  if (linked.length > 0) return linked
  const choices = value.split(', ')
  const related = choices.flatMap(relatedOf)
  if (related.length > 0) return related
  const dates = value.split(' → ').map(withIsoDate).join(' → ')
  if (dates !== value) return [dates]
  const isList = choices.length <= MAX_CHOICES && choices.every(choice => choice.length <= MAX_CHOICE_LENGTH)
  return isList ? choices : [value]
}

/** The target of a relation, `Boat (https://…)`: a link to a page of the export, or the name of any other page. */
function relatedOf(text: string): string[] {
  const at = text.endsWith(')') ? text.lastIndexOf(' (') : -1
  const address = at < 0 ? text : text.slice(at + 2, -1)
  if (!PAGE.test(address)) return []
  if (address.endsWith('.md')) return [`[[${decodedUri(address)}]]`]
  const title = at < 0 ? ADDRESS.exec(address)?.[1]?.replaceAll('-', ' ') : text.slice(0, at)
  return title === undefined ? [] : [decodedUri(title)]
}

/** An address in the export: `Oil%203c4d….md`, `Lamp%202b3c…/plan.pdf`. */
const RELATED = / \(([^()\s]{1,1000}\.(?:md|csv))\)(?:, |$)/
const FILE = /^(?![a-z]{2,10}:)[^\s()]{0,900}%20[0-9a-f]{32}(?:\/[^\s()]{1,300}|\.[a-z]{2,4})$/i
const LINK = /(!?\[[^[\]]{0,300}\])\(([^()\s]{1,1000})\)/g

/** The name of a page or file in the export. */
const labelOf = (address: string) =>
  withoutNotionIds(decodedUri(address.slice(address.lastIndexOf('/') + 1))).replace(/\.md$/, '')

/** The bytes of a Notion page without ids. Unreadable lines are left out. */
export async function* notionText(
  bytes: AsyncIterable<Uint8Array>,
  { path, notes }: SourceFile,
): AsyncGenerator<Uint8Array> {
  const properties = new NotionProperties()
  const isKept = (address: string) =>
    notes?.ofPath(address, path) !== notes?.ofPath(withoutNotionIds(address), path)
  for await (const lines of readLines(bytes)) {
    const texts = lines.map(line => ('problem' in line ? '' : shownLine(line.text, properties, isKept)))
    yield Buffer.from(texts.map(text => `${text}\n`).join(''))
  }
}

/**
 * A line of a Notion page as people see it: each property on its own line, and pages and files as links without Notion's
 * ids. `isKept`: whether an address keeps its id, because two pages have the same name.
 */
function shownLine(line: string, properties: NotionProperties, isKept: (address: string) => boolean): string {
  const to = (address: string) => {
    const path = decodedUri(address)
    const shown = withoutNotionIds(path)
    if (/^[a-z][a-z+.-]{1,20}:/i.test(address) || path === shown || isKept(path)) return `(${address})`
    return /[\s()]/.test(shown) ? `(<${shown}>)` : `(${shown})`
  }
  const text = line.trimEnd()
  if (properties.read(text) === null) return line.replace(LINK, (_, label, address) => label + to(address))
  const at = text.indexOf(': ') + 2
  return `${text.slice(0, at)}${shownValue(text.slice(at), to)}  `
}

function shownValue(value: string, to: (address: string) => string): string {
  const parts = value.split(RELATED)
  const links = parts.flatMap((part, at) => (at % 2 === 1 ? [`[${parts[at - 1]?.trim()}]${to(part)}`] : []))
  const files = value.split(', ').map(part => (FILE.test(part) ? `[${labelOf(part)}]${to(part)}` : part))
  return (links.length > 0 ? links : files).join(', ')
}
