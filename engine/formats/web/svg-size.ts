import { SaxesParser } from '@rubensworks/saxes'
import { decodedUri } from '../../../platform/common/decoded-uri.js'
import { localName } from '../shared/xml-elements.js'

/** A parsed drawing. References such as `<use href="#tree"/>` are drawn in place, including nested ones. */
interface Drawing {
  /** The parent index of each element; -1 for none. */
  parents: number[]
  /** The ids that each element refers to. */
  references: Map<number, string[]>
  /** The first element with each id, which references use. */
  ids: Map<string, number>
  /** The names of each element for style sheets; empty if there are none. */
  names: string[][]
  css: string
  /** The number of elements of embedded drawings, by element. */
  inner: Map<number, number>
  depth: number
}

/** Encodings in which `<` and quotes are ASCII bytes; the default is UTF-8. */
const ENCODING = /^\ufeff?<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([^"']{1,40})/i
const PLAIN = /^(?:utf-?8|us-ascii|iso-8859-\d{1,2}|windows-125\d|latin1)$/i
/** Elements that refer to another one without `url(…)`: those that repeat it, and their animations. */
const NAMING = /^(?:.*:)?(?:use|set|animate)$/
const ID = /#([^;)"']*)/g

/** Maximum elements repeated by references; Chromium takes some seconds for them. */
export const MAX_REPEATED = 100_000
/** Maximum elements; they take about 200 MB of memory. */
const MAX_ELEMENTS = 1_000_000
/** Maximum references of style sheets, over all elements. */
const MAX_STYLED = 2_000_000
/** Maximum nesting of drawings. */
const MAX_DEPTH = 3
const INNER = /data:\s*image\/svg([^,"']{0,100}),([^"')]*)/gi

/**
 * The number of elements that a browser draws again because `<use>`, patterns, masks and markers repeat them: a few
 * lines of nested references can repeat billions. Infinity for circular references, or if the number is unknown
 * because the file is not XML. Embedded drawings (`data:image/svg+xml`) and references of style sheets count as well.
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

/** Null if it is not well-formed XML, or too large even without references. */
function read(text: string, depth: number): Drawing | null {
  const drawing: Drawing = {
    ...{ parents: [], references: new Map(), ids: new Map(), names: [] },
    ...{ css: '', inner: new Map(), depth },
  }
  const parser = new SaxesParser()
  const isStyled = /<(?:[\w.-]+:)?style[\s>]/i.test(text)
  let [inside, style] = [-1, -1]
  const addText = (some: string) => {
    if (style !== -1) drawing.css += some
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('processinginstruction', ({ target, body }) => {
    if (target === 'xml-stylesheet' && bringsOther(decoded(body))) throw new TooLarge()
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = drawing.parents.push(inside) - 1
    if (element >= MAX_ELEMENTS) throw new TooLarge()
    const tag = localName(name).toLowerCase()
    if (isStyled) drawing.names.push([tag])
    for (const [name, value] of Object.entries(attributes))
      addAttribute(drawing, element, { tag, name, value })
    inside = element
    if (tag === 'style' && style === -1) style = element
  })
  parser.on('closetag', () => {
    if (inside === style) style = -1
    inside = drawing.parents[inside] ?? -1
  })
  try {
    parser.write(text).close()
  } catch {
    return null
  }
  if (bringsOther(plainCss(drawing.css))) return null
  if (!addStyles(drawing, styleReferences(drawing.css))) return null
  return [...drawing.inner.values()].includes(Number.POSITIVE_INFINITY) ? null : drawing
}

class TooLarge extends Error {}

function addAttribute(
  { references, ids, names, inner, depth }: Drawing,
  element: number,
  { tag, name, value }: { tag: string; name: string; value: string },
): void {
  // Whitespace is removed as in URLs.
  const text = value.replace(/[\t\n\r]/g, '')
  if (name === 'id' && !ids.has(text)) ids.set(text, element)
  if (name === 'id') names[element]?.push(`#${text}`)
  if (name === 'class') names[element]?.push(...value.split(/\s+/).map(each => `.${each}`))
  const plain = text.includes('\\') ? plainCss(text) : text
  const found =
    NAMING.test(tag) || /url\(/i.test(plain) ? [...plain.matchAll(ID)].map(([, id]) => idOf(id)) : []
  if (/data:\s*text\/css/i.test(plain)) inner.set(element, Number.POSITIVE_INFINITY)
  if (/data:\s*image\/svg/i.test(plain)) inner.set(element, innerSize(plain, depth))
  if (found.length > 0) references.set(element, [...(references.get(element) ?? []), ...found])
}

/** The number of elements in a drawing in an attribute, including repeated ones. */
function innerSize(text: string, depth: number): number {
  if (depth >= MAX_DEPTH) return Number.POSITIVE_INFINITY
  const drawings = [...text.matchAll(INNER)].map(([, kind = '', data = '']) =>
    /;base64$/i.test(kind) ? Buffer.from(idOf(data), 'base64') : Buffer.from(idOf(data)),
  )
  if (drawings.length === 0) return Number.POSITIVE_INFINITY
  return drawings.reduce(
    (sum, bytes) => sum + repeatedIn(bytes, depth + 1) + bytes.filter(byte => byte === LESS_THAN).length,
    0,
  )
}

const LESS_THAN = 0x3c

/** Adds the references of style sheets; false if there are too many. */
function addStyles({ names, references }: Drawing, styles: StyleReferences): boolean {
  if (styles.size === 0) return true
  let count = 0
  for (const [element, keys] of names.entries()) {
    const found = ['*', ...keys].flatMap(key => [...(styles.get(key) ?? [])])
    count += found.length
    if (count > MAX_STYLED) return false
    if (found.length > 0) references.set(element, [...(references.get(element) ?? []), ...found.map(idOf)])
  }
  return true
}

/** Decodes entities in a processing instruction, which XML does not. */
const decoded = (value: string) =>
  value.replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (_, hex?: string, decimal?: string) =>
    String.fromCodePoint(Math.min(hex ? Number.parseInt(hex, 16) : Number(decimal), 0x10ffff)),
  )

const idOf = (text = '') => decodedUri(text.trim())

/** Counts children and references before each element, without recursion: elements may be nested a million times. */
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

/** References by selector part: `tag`, `.class`, `#id`, or `*` for any element. */
type StyleReferences = ReadonlyMap<string, ReadonlySet<string>>

const COMMENT = /\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/g
const ESCAPE = /\\(?:([\da-f]{1,6})\s?|([^\n]))/gi
const ADDRESS = /url\(|#/i
/** The last part of a selector, if it is a simple one. */
const LAST = /(?:^|[\s>+~])(?:[\w-]+\|)?([\w-]*)((?:[.#][\w-]+)*)$/
const URL_TEXT = /url\(([^)]*)/gi
const MAX_ID_LENGTH = 500

/** CSS without comments and escapes. */
const plainCss = (css: string): string =>
  css.replace(COMMENT, ' ').replace(ESCAPE, (_, code: string | undefined, sign = '') => {
    const point = code === undefined ? null : Number.parseInt(code, 16)
    return point === null ? sign : String.fromCodePoint(point > 0x10ffff ? 0xfffd : point)
  })

/** Whether a style sheet embeds another one or a drawing, which is not analysed. */
const bringsOther = (css: string): boolean => /data:\s*(?:text\/css|image\/svg)/i.test(css)

/**
 * The references of rules such as `.a, g > #b { fill: url(#c) }`. Only the last part of each selector counts, so it matches
 * at least the elements that it matches in a browser.
 */
function styleReferences(css: string): StyleReferences {
  const found = new Map<string, Set<string>>()
  const add = (key: string, ids: readonly string[]) => {
    const known = found.get(key) ?? new Set()
    for (const id of ids) known.add(id)
    found.set(key, known)
  }
  const plain = plainCss(css)
  let from = 0
  for (let open = plain.indexOf('{'); open !== -1; open = plain.indexOf('{', from)) {
    const close = plain.indexOf('}', open)
    const inner = plain.lastIndexOf('{', close === -1 ? plain.length : close)
    const body = plain.slice(inner + 1, close === -1 ? plain.length : close)
    const head = plain.slice(Math.max(from, plain.lastIndexOf('{', inner - 1) + 1), inner)
    from = close === -1 ? plain.length : close + 1
    if (!ADDRESS.test(body)) continue
    const ids = [...body.matchAll(URL_TEXT)].flatMap(([, address = '']) => idIn(address))
    if (ids.length === 0 || /^\s*@font-face\s*$/i.test(head)) continue
    for (const selector of head.split(',')) for (const key of keysOf(selector)) add(key, ids)
  }
  return found
}

/** The id that an address refers to within its document: `'other.svg#id'`. */
function idIn(address: string): string[] {
  const [, id] = /#([^"']*)/.exec(address) ?? []
  return id === undefined ? [] : [id.slice(0, MAX_ID_LENGTH)]
}

/** The most specific part: an id, a class, or the element name. */
function keysOf(selector: string): string[] {
  const [, tag = '', rest = ''] = LAST.exec(selector.trim()) ?? []
  const [key] = [...rest.matchAll(/[.#][\w-]+/g)].map(([part]) => part).sort()
  return [key ?? (tag === '' ? '*' : tag.toLowerCase())]
}
