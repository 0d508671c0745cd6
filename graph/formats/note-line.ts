/** What a line of a note says besides its text. */
export interface LineContent {
  heading: string | null
  /** Targets of `[[links]]` and `[links](other.md)` that no property has. */
  links: string[]
  /** What the line calls its links: `Author: [[Ada]]`. */
  linkedAs: string | null
  tags: string[]
  /** `key:: value` (Logseq, Dataview), also as `[key:: value]` and `(key:: value)` inside a line. */
  properties: { key: string; values: string[] }[]
}

// Every repetition is bounded or ends at a character it cannot contain: a line takes the same time whatever it says.
const code = /`[^`]*`/g
const wikiLink = /!?\[\[([^[\]]{1,500})\]\]/g
const markdownLink = /\[[^[\]]{0,300}\]\(<?([^()<>\s]{1,500})>?\)/g
const hashTag = /(?:^|\s)#([\p{L}\p{N}_/-]{1,100})/gu
const key = '\\p{L}[\\p{L}\\p{N} _-]{0,60}'
const lineProperty = new RegExp(`^[\\s>*+-]{0,40}(${key})::\\s+(.*)$`, 'u')
const inlineProperty = new RegExp(
  `[[(](${key})::\\s((?:\\[\\[[^[\\]]{1,200}\\]\\]|[^[\\]()]){1,200})[\\])]`,
  'gu',
)
const namedLink = new RegExp(`^[\\s>*+-]{0,40}(?:\\*\\*|__)?(${key}):(?:\\*\\*|__)?\\s{0,5}\\[\\[`, 'u')
const attachment = /\.(?:png|jpe?g|gif|svg|webp|bmp|avif|pdf|mp3|m4a|wav|ogg|mp4|mov|webm|canvas|base)$/i
const headingLine = /^#{1,6}\s+(.*?)\s*#*$/

/** Finds them, outside of code. */
export function said(line: string): LineContent {
  const text = line.includes('`') ? line.replace(code, ' ') : line
  const own = text.includes('::') ? lineProperty.exec(text) : null
  if (own) return { ...nothing, properties: [{ key: own[1] ?? '', values: valuesOf(own[2] ?? '') }] }
  const properties: LineContent['properties'] = []
  const rest = text.includes('::')
    ? text.replace(inlineProperty, (_all, name: string, value: string) => {
        properties.push({ key: name, values: valuesOf(value) })
        return ' '
      })
    : text
  return {
    heading: line.startsWith('#') ? (headingLine.exec(line)?.[1] ?? null) : null,
    links: linksIn(rest),
    linkedAs: rest.includes('[[') ? (namedLink.exec(rest)?.[1]?.trim() ?? null) : null,
    tags: rest.includes('#') ? tagsIn(rest) : [],
    properties,
  }
}

const nothing: LineContent = { heading: null, links: [], linkedAs: null, tags: [], properties: [] }

/** The links of a value, each as `[[target]]`; the value itself when it has none. */
function valuesOf(value: string): string[] {
  const links = linksIn(value)
  return links.length > 0 ? links.map(link => `[[${link}]]`) : [value.trim()]
}

/** Targets of links to other notes: without heading, block and shown text. */
export function linksIn(text: string): string[] {
  const links: string[] = []
  if (text.includes('[[')) for (const [, inside = ''] of text.matchAll(wikiLink)) links.push(targetOf(inside))
  if (text.includes('](')) for (const [, to = ''] of text.matchAll(markdownLink)) links.push(fileOf(to))
  return links.filter(link => link !== '' && !attachment.test(link))
}

/** The target of `[[target]]`, or null when the value is no link. */
export function linkOf(value: string): string | null {
  const inside = /^!?\[\[([^[\]]{1,500})\]\]$/.exec(value.trim())?.[1]
  return inside === undefined ? null : targetOf(inside) || null
}

const targetOf = (inside: string) => (inside.split(/[|#^]/)[0] ?? '').replace(/\\$/, '').trim()

/** The note that a link leads to, or nothing when it leads elsewhere. */
function fileOf(to: string): string {
  const path = to.split('#')[0] ?? ''
  if (!/\.(?:md|markdown)$/i.test(path) || /^[a-z][a-z+.-]*:/i.test(path)) return ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const tagsIn = (text: string) =>
  [...text.matchAll(hashTag)].flatMap(([, tag = '']) => (/[^\d/_-]/.test(tag) ? [tag] : []))
