import { bringsOther, plainCss, type StyleReferences, styleReferences } from './svg-styles.js'

/** What a drawing refers to, such as `<use href="#tree"/>`, is drawn in its place, and what that refers to in it. */
interface Drawing {
  /** For each element the one that it is in; -1: none. */
  parents: number[]
  /** For each element the ids that it refers to. */
  references: Map<number, string[]>
  /** The first element with each id, which is the one that is meant. */
  ids: Map<string, number>
  /** By what style sheets name each element; empty if there are none. */
  names: string[][]
  css: string
  /** Drawings in it, as elements that they count for. */
  inner: Map<number, number>
  depth: number
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
/** References of style sheets, of all elements together. */
const MOST_STYLED = 2_000_000
/** Drawings in drawings. */
const DEEPEST = 3
const INNER = /data:\s*image\/svg[^,"']{0,100}?(;base64)?,([^"')]*)/gi

/**
 * How many elements of an SVG a browser draws again, because `<use>`, patterns, masks and markers repeat them: a few
 * lines of references to references can be billions. Infinity if they go round in a circle, or if it cannot be told,
 * because it is no XML. Drawings in it (`data:image/svg+xml`) count, and so do the references of its style sheets.
 */
export function repeatedElements(bytes: Uint8Array): number {
  return repeatedIn(bytes, 0)
}

function repeatedIn(bytes: Uint8Array, depth: number): number {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
  if (!/[:<]use[\s/>]|url|&#|data:|\\/i.test(text)) return 0
  const [, encoding = 'utf-8'] = ENCODING.exec(text) ?? []
  const drawing = PLAIN.test(encoding) ? read(text, depth) : null
  return drawing === null ? Number.POSITIVE_INFINITY : sizeOf(drawing) - drawing.parents.length
}

/** Null if it is no XML as browsers want it, or is too large by itself. */
function read(text: string, depth: number): Drawing | null {
  const drawing: Drawing = {
    ...{ parents: [], references: new Map(), ids: new Map(), names: [] },
    ...{ css: '', inner: new Map(), depth },
  }
  const isStyled = STYLE.test(text)
  let inside = -1
  let style = -1
  let from = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', from)) {
    if (style !== -1) drawing.css += decoded(text.slice(from, at))
    const end = endOfOther(text, at)
    if (end === -1) return null
    if (end > at) {
      if (style !== -1) drawing.css += text.slice(at, end).replace(/^<!\[CDATA\[|\]\]>$/g, '')
      else if (text.startsWith('<?xml-stylesheet', at) && bringsOther(decoded(text.slice(at, end))))
        return null
      at = end
    } else if (text[at + 1] === '/') {
      at = after(text, '>', at)
      if (inside === -1 || at === -1) return null
      if (inside === style) style = -1
      inside = drawing.parents[inside] ?? -1
    } else {
      const element = drawing.parents.push(inside) - 1
      if (element >= MOST_ELEMENTS) return null
      const tag = localName(text, at + 1)
      if (isStyled) drawing.names.push([tag])
      at = readTag(text, at, (tag, name, value) => addAttribute(drawing, element, { tag, name, value }))
      if (at === -1) return null
      if (text[at - 2] !== '/') inside = element
      if (inside === element && tag === 'style' && style === -1) style = element
    }
    from = at
  }
  if (bringsOther(plainCss(drawing.css))) return null
  if (!addStyles(drawing, styleReferences(drawing.css))) return null
  return [...drawing.inner.values()].includes(Number.POSITIVE_INFINITY) ? null : drawing
}

const STYLE = /<(?:[\w.-]+:)?style[\s>]/i

/** The name of the element at this place, without its prefix. */
function localName(text: string, at: number): string {
  NAME.lastIndex = at
  return NAME.exec(text)?.[0].split(':').at(-1)?.toLowerCase() ?? ''
}

function addAttribute(
  drawing: Drawing,
  element: number,
  { tag, name, value }: { tag: string; name: string; value: string },
): void {
  const { references, ids, names, inner, depth } = drawing
  // As addresses are read.
  const text = decoded(value).replace(/[\t\n\r]/g, '')
  if (name === 'id' && !ids.has(text)) ids.set(text, element)
  if (name === 'id') names[element]?.push(`#${text}`)
  if (name === 'class')
    names[element]?.push(
      ...decoded(value)
        .split(/\s+/)
        .map(each => `.${each}`),
    )
  const plain = text.includes('\\') ? plainCss(text) : text
  const found =
    NAMING.test(tag) || /url\(/i.test(plain) ? [...plain.matchAll(ID)].map(([, id]) => idOf(id)) : []
  if (/data:\s*text\/css/i.test(plain)) inner.set(element, Number.POSITIVE_INFINITY)
  if (/data:\s*image\/svg/i.test(plain)) inner.set(element, innerSize(plain, depth))
  const known = references.get(element)
  if (known) known.push(...found)
  else if (found.length > 0) references.set(element, found)
}

/** The elements of a drawing in an attribute, with those that it repeats. */
function innerSize(text: string, depth: number): number {
  if (depth >= DEEPEST) return Number.POSITIVE_INFINITY
  const drawings = [...text.matchAll(INNER)].map(([, isBase64, data = '']) =>
    isBase64 ? Buffer.from(idOf(data), 'base64') : Buffer.from(idOf(data)),
  )
  if (drawings.length === 0) return Number.POSITIVE_INFINITY
  return drawings.reduce(
    (sum, bytes) => sum + repeatedIn(bytes, depth + 1) + bytes.filter(byte => byte === LESS_THAN).length,
    0,
  )
}

const LESS_THAN = 0x3c

/** Adds what style sheets refer to; false if that is too much. */
function addStyles({ names, references }: Drawing, styles: StyleReferences): boolean {
  if (styles.size === 0) return true
  let count = 0
  for (const [element, keys] of names.entries()) {
    const found = ['*', ...keys].flatMap(key => [...(styles.get(key) ?? [])])
    count += found.length
    if (count > MOST_STYLED) return false
    if (found.length > 0) references.set(element, [...(references.get(element) ?? []), ...found.map(idOf)])
  }
  return true
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
function sizeOf({ parents, references, ids, inner }: Drawing): number {
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
        needs(element).reduce((sum, needed) => sum + (sizes.get(needed) ?? 0), 1 + (inner.get(element) ?? 0)),
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
