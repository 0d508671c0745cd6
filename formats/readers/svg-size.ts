/** What a drawing refers to, such as `<use href="#tree"/>`, is drawn in its place, and what that refers to in it. */
interface Drawing {
  /** For each element the one that it is in; -1: none. */
  parents: number[]
  /** For each element the ids that it refers to. */
  references: Map<number, string[]>
  /** The first element with each id, which is the one that is meant. */
  ids: Map<string, number>
}

/** Encodings in which `<` and quotes are the same bytes everywhere; what is not said is UTF-8. */
const ENCODING = /^\ufeff?<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([^"']{1,40})/i
const PLAIN = /^(?:utf-?8|us-ascii|iso-8859-\d{1,2}|windows-125\d|latin1)$/i
const DOCTYPE = /<!DOCTYPE(?:[^<>["']|"[^"<>[]{0,300}"|'[^'<>[]{0,300}'){0,300}>/y
const NAME = /[^\s<>/="'&]+/y
const BEFORE_VALUE = /\s*=\s*["']/y
const SPACE = /\s*/y
/** Elements whose attributes name another element without `url(…)`: those that repeat it, and animations of them. */
const NAMING = /^(?:.*:)?(?:use|set|animate)$/
const ID = /#([^;)"']*)/g
const ENTITY = /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Elements that the references of a drawing may repeat: Chromium takes some seconds for them. */
export const MOST_REPEATED = 100_000
/** Elements that are read; the memory for them is about 200 MB. */
const MOST_ELEMENTS = 1_000_000

/**
 * How many elements of an SVG a browser draws again, because `<use>`, patterns, masks and markers repeat them: a few
 * lines of references to references can be billions. Infinity if they go round in a circle, or if it cannot be told,
 * because it is no XML or holds another drawing. References from style sheets are not followed.
 */
export function repeatedElements(bytes: Uint8Array): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
  if (!/[:<]use[\s/>]|url|&#|data:/i.test(text)) return 0
  const [, encoding = 'utf-8'] = ENCODING.exec(text) ?? []
  const drawing = PLAIN.test(encoding) ? read(text) : null
  return drawing === null ? Number.POSITIVE_INFINITY : sizeOf(drawing) - drawing.parents.length
}

/** Null if it is no XML as browsers want it, is too large by itself, or holds another drawing. */
function read(text: string): Drawing | null {
  const drawing: Drawing = { parents: [], references: new Map(), ids: new Map() }
  let inside = -1
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const end = endOfOther(text, at)
    if (end === -1) return null
    if (end > at) {
      at = end
    } else if (text[at + 1] === '/') {
      at = after(text, '>', at)
      if (inside === -1 || at === -1) return null
      inside = drawing.parents[inside] ?? -1
    } else {
      const element = drawing.parents.push(inside) - 1
      if (element >= MOST_ELEMENTS) return null
      at = readTag(text, at, (tag, name, value) => addAttribute(drawing, element, { tag, name, value }))
      if (at === -1) return null
      if (text[at - 2] !== '/') inside = element
    }
  }
  return [...drawing.references.values()].some(ids => ids.includes(OTHER)) ? null : drawing
}

/** In place of an id: another drawing. */
const OTHER = ' '

function addAttribute(
  { references, ids }: Drawing,
  element: number,
  { tag, name, value }: { tag: string; name: string; value: string },
): void {
  // As addresses are read.
  const text = decoded(value).replace(/[\t\n\r]/g, '')
  if (name === 'id' && !ids.has(text)) ids.set(text, element)
  const found =
    NAMING.test(tag) || /url\(/i.test(text) ? [...text.matchAll(ID)].map(([, id]) => idOf(id)) : []
  if (/data:\s*image\/svg/i.test(text)) found.push(OTHER)
  const known = references.get(element)
  if (known) known.push(...found)
  else if (found.length > 0) references.set(element, found)
}

const decoded = (value: string) =>
  value.replace(ENTITY, (_, hex, decimal, name) =>
    name
      ? (NAMED[name.toLowerCase()] ?? '')
      : String.fromCodePoint(Math.min(hex ? Number.parseInt(hex, 16) : Number(decimal), 0x10ffff)),
  )

function idOf(text = ''): string {
  try {
    return decodeURIComponent(text.trim())
  } catch {
    return text.trim()
  }
}

/** After a comment, CDATA, an instruction or the DOCTYPE; `at` if a tag begins there; -1 if it does not end. */
function endOfOther(text: string, at: number): number {
  if (text.startsWith('<!--', at)) return after(text, '-->', at + 4)
  if (text.startsWith('<![CDATA[', at)) return after(text, ']]>', at)
  if (text.startsWith('<?', at)) return after(text, '?>', at)
  if (!text.startsWith('<!', at)) return at
  DOCTYPE.lastIndex = at
  return DOCTYPE.test(text) ? DOCTYPE.lastIndex : -1
}

function after(text: string, end: string, at: number): number {
  const found = text.indexOf(end, at)
  return found === -1 ? -1 : found + end.length
}

/** Calls `attribute` with the element's name, and the name and value of each. Returns where the tag ends, -1 if it is none. */
function readTag(
  text: string,
  from: number,
  attribute: (tag: string, name: string, value: string) => void,
): number {
  const next = (part: RegExp, at: number) => {
    part.lastIndex = at
    return part.test(text) ? part.lastIndex : -1
  }
  let at = next(NAME, from + 1)
  const tag = text.slice(from + 1, at)
  while (at !== -1) {
    at = next(SPACE, at)
    if (text[at] === '>') return at + 1
    if (text.startsWith('/>', at)) return at + 2
    const nameEnd = next(NAME, at)
    const valueStart = nameEnd === -1 ? -1 : next(BEFORE_VALUE, nameEnd)
    const valueEnd = valueStart === -1 ? -1 : text.indexOf(text[valueStart - 1] ?? '', valueStart)
    if (valueEnd === -1) return -1
    attribute(tag, text.slice(at, nameEnd), text.slice(valueStart, valueEnd))
    at = valueEnd + 1
  }
  return -1
}

/** Of each element after those in it and those it refers to, without recursion: elements may be nested a million times. */
function sizeOf({ parents, references, ids }: Drawing): number {
  const children: number[][] = parents.map(() => [])
  const roots: number[] = []
  for (const [element, parent] of parents.entries()) (children[parent] ?? roots).push(element)
  const needs = (element: number) => [
    ...(children[element] ?? []),
    ...(references.get(element) ?? []).flatMap(id => ids.get(id) ?? []),
  ]
  const sizes = new Map<number, number>()
  const open = new Set<number>()
  const stack = [...roots]
  for (let element = stack.at(-1); element !== undefined; element = stack.at(-1)) {
    if (sizes.has(element)) {
      stack.pop()
    } else if (open.has(element)) {
      sizes.set(
        element,
        needs(element).reduce((sum, needed) => sum + (sizes.get(needed) ?? 0), 1),
      )
      open.delete(element)
    } else {
      open.add(element)
      for (const needed of needs(element)) {
        if (open.has(needed)) return Number.POSITIVE_INFINITY
        if (!sizes.has(needed)) stack.push(needed)
      }
    }
  }
  return roots.reduce((sum, root) => sum + (sizes.get(root) ?? 0), 0)
}
