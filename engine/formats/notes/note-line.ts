import { decodedUri } from '../../../platform/common/decoded-uri.js'
import { plainAddress } from '../../../platform/common/plain-address.js'
import { noteLinkOf } from '../../syntax/index.js'
import { datesIn } from './note-dates.js'
import { isAttachment } from './note-text.js'

/** The parsed contents of a line. */
interface LineContent {
  /** Links outside of properties. */
  links: NoteLink[]
  /** The label of the line's links: `Author: [[Ada]]`. */
  linkedAs: string | null
  tags: string[]
  /** `key:: value` (Logseq, Dataview), also as `[key:: value]` and `(key:: value)` inside a line. */
  properties: { key: string; values: string[] }[]
  /** Whether the line consists of a single property. */
  isProperty: boolean
}

/** `[[target]]` refers to a note; `[text](path)` points to a file. Both without heading, block and link text. */
export type NoteLink = { target: string } | { path: string }

// Every repetition is bounded or ends at a character it cannot contain, so matching is linear for any line.
const CODE = /`[^`]*`/g
const MACRO = /\{\{(?:query|cards|renderer|video|youtube|tweet)\s[^{}]{0,500}\}\}/g
const WIKI_LINK = /!?\[\[([^[\]]{1,500})\]\]/g
const DATED_LINK = /!?\[\[([^[\]]{1,500})\]\](\s{0,3}\([^()]{1,80}\))?/g
const MARKDOWN_LINK =
  /\[[^[\]]{0,300}\]\((?:<([^<>()\n]{1,500})>|<?((?:\{[{%][^{}()]{1,300}[%}]\}){0,2}[^()<>\s]{0,500})>?)(?:\s{1,9}"[^"]{0,300}"\s{0,9})?\)/g
const DEFINITION = /^\s{0,8}\[[^[\]^]{1,200}\]:\s{1,5}<?([^<>\s]{1,500})>?/
const HASH_TAG = /(?:^|[\s>])#([\p{L}\p{N}_/-]{1,100})/gu
const KEY = '\\p{L}[\\p{L}\\p{N} ._-]{0,60}'
const LINE_PROPERTY = new RegExp(`^[\\s>*+-]{0,40}(${KEY})::\\s+(.*)$`, 'su')
const INLINE_PROPERTY = new RegExp(
  `[[(](${KEY})::\\s((?:\\[\\[[^[\\]]{1,200}\\]\\]|[^[\\]()]){1,200})[\\])]`,
  'gu',
)
const NAMED_LINK = new RegExp(`^[\\s>*+-]{0,40}(?:\\*\\*|__)?(${KEY}):(?:\\*\\*|__)?\\s{0,5}\\[\\[`, 'u')

/** Finds links and properties outside of code. */
export function contentOfLine(line: string): LineContent {
  const text = withoutCode(line)
  const own = text.includes('::') ? LINE_PROPERTY.exec(text) : null
  if (own)
    return {
      ...nothing,
      isProperty: true,
      properties: [{ key: own[1] ?? '', values: valuesOf(own[2] ?? '') }],
    }
  const properties: LineContent['properties'] = []
  const rest = text.includes('::')
    ? text.replace(INLINE_PROPERTY, (_all, name: string, value: string) => {
        properties.push({ key: name, values: valuesOf(value) })
        return ' '
      })
    : text
  return {
    links: linksIn(rest),
    linkedAs: rest.includes('[[') ? (NAMED_LINK.exec(rest)?.[1]?.trim() ?? null) : null,
    tags: rest.includes('#') ? tagsIn(rest) : [],
    properties,
    isProperty: false,
  }
}

const nothing: LineContent = { links: [], linkedAs: null, tags: [], properties: [], isProperty: false }

function withoutCode(line: string): string {
  const text = line.includes('`') ? line.replace(CODE, ' ') : line
  return text.includes('{{') ? text.replace(MACRO, ' ') : text
}

/** The links of a value, each as `[[target]]` with its dates, or the value itself if it has none. */
function valuesOf(value: string): string[] {
  const links = [...value.matchAll(DATED_LINK)].flatMap(([, inside = '', behind = '']) => {
    const [link] = linksIn(`[[${inside}]]`)
    const dates = datesIn(behind.trim().slice(1, -1)) ? behind : ''
    return link && 'target' in link ? [`[[${link.target}]]${dates}`] : []
  })
  return links.length > 0 ? links : [value.trim()]
}

/** The targets of links to other notes. */
function linksIn(text: string): NoteLink[] {
  const links: NoteLink[] = []
  if (text.includes('[['))
    for (const [, inside = ''] of text.matchAll(WIKI_LINK)) links.push({ target: noteLinkOf(inside).target })
  if (text.includes(']('))
    for (const [, spaced, to = ''] of text.matchAll(MARKDOWN_LINK)) links.push({ path: pathOf(spaced ?? to) })
  const defined = text.includes(']:') ? DEFINITION.exec(text)?.[1] : undefined
  if (defined !== undefined) links.push({ path: pathOf(defined) })
  return links.filter(link => {
    const to = 'target' in link ? link.target : link.path
    return to !== '' && !isAttachment(to)
  })
}

/** The target of `[[target]]`, or null if the value is not a link. */
export function linkOf(value: string): string | null {
  const inside = /^!?\[\[([^[\]]{1,500})\]\]$/.exec(value.trim())?.[1]
  return inside === undefined ? null : noteLinkOf(inside).target || null
}

/** The path of a link inside the folder, or an empty string for other links. */
function pathOf(to: string): string {
  const path = plainAddress(to).split(/[#?]/)[0] ?? ''
  if (/^[a-z][a-z+.-]*:/i.test(path) || path.startsWith('//')) return ''
  return decodedUri(path)
}

const tagsIn = (text: string) =>
  [...text.matchAll(HASH_TAG)].flatMap(([, tag = '']) => (/[^\d/_-]/.test(tag) ? [tag] : []))
