import { escapeHtml } from '../../platform/common/escape-html.js'
import { FrontMatter, type Property } from '../syntax/index.js'

/** Maximum lines of front matter. */
const MAX_LINES = 2_100

/** Properties that name a picture: of Obsidian, Hugo, Jekyll, Docusaurus. */
const COVER = /^(?:cover|banner|image|thumbnail|header)(?: (?:image|path|src|teaser))?$/i

/** A document's front matter, the lines it takes, and the rest. */
interface ShownProperties {
  /** Its properties; `html` renders each with `show`. */
  values: readonly string[]
  html: (show: (value: string) => string) => string
  /** The address of its cover picture, if it has one. */
  cover: string | undefined
  lines: number
}

/** An entry of the properties: a name, which may be empty, with its value, or a comment. */
type Row = { name: string; value: string } | { comment: string }

/**
 * The properties at the beginning of a note as a list of terms, also those in TOML, which Hugo and Zola write between `+++`.
 * Null if the text begins with something else, such as a paragraph between two rules.
 */
export function frontMatter(text: string): ShownProperties | null {
  const reader = new FrontMatter(ownProperty)
  const lines = text.replace(/^\ufeff/, '').split('\n', MAX_LINES)
  const end = lines.findIndex((line, at) => reader.read(at + 1, line) !== 'inside')
  if (end < 1 || reader.isEndless || reader.isProse) return null
  const rows = reader.properties.flatMap((property, at) => rowOf(property, reader.properties[at + 1]))
  const values = rows.flatMap(row => ('value' in row ? [row.value] : []))
  const covers = reader.properties.flatMap(one => ('key' in one && COVER.test(one.key) ? one.values : []))
  const cover = covers[0]?.replace(/^!?\[\[([^[\]|]+)[\s\S]*$/, '$1')
  return { values, html: show => listHtml(rows, show), lines: end + 1, cover }
}

/** `key:: value`, as Logseq writes it. */
function ownProperty(text: string): { key: string; values: string[] } | undefined {
  const [, key, value = ''] = /^([^\s:#-][^:]{0,60})::\s+(.*)$/.exec(text) ?? []
  return key === undefined ? undefined : { key, values: [value] }
}

function rowOf(property: Property, next: Property | undefined): Row[] {
  if ('comment' in property) return property.comment === '' ? [] : [{ comment: property.comment }]
  if ('text' in property) return [{ name: '', value: property.text }]
  const { key, values } = property
  // A map: its properties follow under both names.
  const isAbove = values.length === 0 && next && 'key' in next && next.key.startsWith(`${key} `)
  return isAbove ? [] : [{ name: key, value: values.join(', ') }]
}

function listHtml(rows: readonly Row[], show: (value: string) => string): string {
  const items = rows.map(row =>
    'comment' in row
      ? `<dt></dt><dd class="comment">${escapeHtml(row.comment)}</dd>`
      : `<dt>${escapeHtml(row.name)}</dt><dd>${show(row.value)}</dd>`,
  )
  return items.length === 0 ? '' : `<dl class="properties">${items.join('')}</dl>`
}
