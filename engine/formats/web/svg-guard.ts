import { SaxesParser } from '@rubensworks/saxes'
import { decodedUri } from '../../../platform/common/decoded-uri.js'
import { localName } from '../shared/xml-elements.js'

/** An element that can be repeated: the number of its elements, and which references are inside it. */
interface RepeatedElement {
  size: number
  from: number
  to: number
}

/** Maximum elements of a drawing, elements drawn again, and levels of repetition inside a repetition. */
const MAX_ELEMENTS = 1_000_000
const MAX_REPEATED = 100_000
const MAX_LEVELS = 3

/** Encodings in which `<` and quotes are ASCII bytes; the default is UTF-8. */
const ENCODING = /^\ufeff?<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([^"']{1,40})/i
const PLAIN = /^(?:utf-?8|us-ascii|iso-8859-\d{1,2}|windows-125\d|latin1)$/i
/** Elements that repeat another one without `url(…)`, and the animations of their attributes. */
const NAMING = /^(?:use|pattern|feimage|set|animate)$/
const ID = /#([^;)"']*)/g
/** A style sheet or drawing inside an attribute or a style sheet, which is not analysed, and CSS escapes. */
const OTHER = /data:\s*(?:text\/css|image\/svg)|@import|\\/i
/** A selector without combinators, attributes and functions. */
const SIMPLE = /^[\w-]*(?:[.#:][\w-]+)+$/
/** Attributes of programs, which may contain backslashes. */
const FOREIGN = /^(?:(?!xlink:)[\w-]+:|data-|aria-)/

/**
 * Whether a browser draws this SVG in bounded time: a few lines of nested references (`<use href="#tree"/>`, patterns,
 * masks, style sheets) can repeat billions of elements. False also if that is unknown: for circular or deeply nested
 * references, embedded drawings, style sheets whose references do not belong to a class, and files that are not XML.
 */
export function isBounded(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
  if (!/[:<]use[\s/>]|url|&#|data:|\\|@import/i.test(text)) return true
  if (!PLAIN.test(ENCODING.exec(text)?.[1] ?? 'utf-8')) return false
  try {
    return new Drawing(text).repeated() <= MAX_REPEATED
  } catch {
    return false
  }
}

class Unbounded extends Error {}

const idOf = (text: string) => `#${decodedUri(text.trim())}`

class Drawing {
  /** References in document order, `#id`, and the classes of elements, `.name`. */
  readonly #references: string[] = []
  /** The first element with each `#id`, which references use. */
  readonly #targets = new Map<string, RepeatedElement>()
  /** The references of each `.name` in style sheets. */
  readonly #styles = new Map<string, string[]>()

  /** @throws if it is not well-formed XML, or not analysed */
  constructor(svg: string) {
    const parser = new SaxesParser()
    const open: { begin: number; target: RepeatedElement | null; isStyle: boolean }[] = []
    let [count, css] = [0, '']
    const addText = (text: string) => {
      if (open.at(-1)?.isStyle) css += text
    }
    parser.on('text', addText)
    parser.on('cdata', addText)
    parser.on('processinginstruction', ({ target }) => {
      if (target === 'xml-stylesheet') throw new Unbounded()
    })
    parser.on('opentag', ({ name, attributes }) => {
      if (++count > MAX_ELEMENTS) throw new Unbounded()
      const [tag, from] = [localName(name).toLowerCase(), this.#references.length]
      for (const [name, value] of Object.entries(attributes)) this.#addAttribute(tag, name, value)
      const id = `#${attributes.id?.replace(/[\t\n\r]/g, '') ?? ''}`
      const target = id === '#' || this.#targets.has(id) ? null : { size: 0, from, to: from }
      if (target) this.#targets.set(id, target)
      open.push({ begin: count, target, isStyle: tag === 'style' })
    })
    parser.on('closetag', () => {
      const { begin = 0, target = null } = open.pop() ?? {}
      if (target) Object.assign(target, { size: count - begin + 1, to: this.#references.length })
    })
    parser.write(svg).close()
    this.#addStyles(css.replace(/\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/g, ' '))
  }

  #addAttribute(tag: string, name: string, value: string): void {
    // Whitespace is removed as in URLs.
    const text = value.replace(/[\t\n\r]/g, '')
    if (OTHER.test(text) && !FOREIGN.test(name)) throw new Unbounded()
    if (name === 'class') this.#references.push(...value.split(/\s+/).map(each => `.${each}`))
    if (NAMING.test(tag) || /url\(/i.test(text))
      for (const [, id = ''] of text.matchAll(ID)) this.#references.push(idOf(id))
  }

  /** Adds rules such as `.a, g > .b:hover { fill: url(#c) }` for the last class of each selector. */
  #addStyles(css: string): void {
    if (OTHER.test(css)) throw new Unbounded()
    for (const rule of css.split('}')) {
      const at = rule.lastIndexOf('{')
      const selectors = rule.slice(rule.lastIndexOf('{', at - 1) + 1, Math.max(0, at))
      const body = rule.slice(at + 1)
      const [, ...addresses] = body.split(/url\(/i)
      const ids = addresses.flatMap(address => [...address.slice(0, address.indexOf(')')).matchAll(ID)])
      if (/url\(/i.test(selectors) || (ids.length > 0 && body.includes('--'))) throw new Unbounded()
      if (ids.length === 0 || selectors.trim() === '@font-face') continue
      for (const selector of selectors.split(',')) {
        const last =
          selector
            .trim()
            .split(/[\s>+~]/)
            .at(-1) ?? ''
        const [key] = (SIMPLE.test(last) && /\.[\w-]+/.exec(last)) || []
        if (key === undefined) throw new Unbounded()
        const known = this.#styles.get(key) ?? []
        this.#styles.set(key, known)
        known.push(...ids.map(([, id = '']) => idOf(id)))
      }
    }
  }

  /** The number of elements that are drawn again; Infinity if references are nested too deeply. */
  repeated(): number {
    let total = 0
    // The elements that all references before each one repeat, to one level more in each round.
    let sums: number[] = []
    for (let level = 0; level <= MAX_LEVELS; level++) {
      const [before, next] = [total, [0]]
      const costOf = (id: string) => {
        const { size, from, to } = this.#targets.get(id) ?? { size: 0, from: 0, to: 0 }
        return size + (sums[to] ?? 0) - (sums[from] ?? 0)
      }
      const classes = new Map(
        [...this.#styles].map(([key, ids]) => [key, ids.reduce((sum, id) => sum + costOf(id), 0)]),
      )
      total = 0
      for (const reference of this.#references) {
        total += classes.get(reference) ?? costOf(reference)
        next.push(total)
      }
      if (total === before) return total
      sums = next
    }
    return Number.POSITIVE_INFINITY
  }
}
