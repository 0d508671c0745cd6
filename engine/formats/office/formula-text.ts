import { localName } from '../shared/xml-elements.js'

/** An open element of a formula. */
interface Node {
  name: string
  attributes: Record<string, string>
  /** Its child elements by name, with their text. */
  parts: [name: string, text: string][]
}

const MAX_DEPTH = 50
const MAX_LENGTH = 5_000
/** MathML elements that are not part of the displayed formula. */
const ASIDE = new Set(['annotation', 'annotation-xml'])

/**
 * Converts a formula of Office (OMML, ECMA-376-1 §22.1) or OpenDocument (MathML 3 §3) to a line of text: `x = (-b ± √(b^2 - 4ac))/(2a)`.
 */
export class FormulaText {
  readonly #open: Node[] = [{ name: '', attributes: {}, parts: [] }]
  #depth = 0
  #length = 0
  #aside = 0

  open(prefixed: string, attributes: Record<string, string>): void {
    const name = localName(prefixed)
    this.#depth++
    if (ASIDE.has(name)) this.#aside++
    else if (this.#depth < MAX_DEPTH) this.#open.push({ name, attributes: unprefixed(attributes), parts: [] })
  }

  /** @param text without entities */
  add(text: string): void {
    if (this.#aside > 0 || this.#length > MAX_LENGTH) return
    this.#length += text.length
    this.#open.at(-1)?.parts.push(['', text])
  }

  close(prefixed: string): void {
    this.#depth--
    if (ASIDE.has(localName(prefixed))) this.#aside--
    else if (this.#depth < MAX_DEPTH - 1 && this.#open.length > 1) this.#end()
  }

  /** The text read so far. */
  text(): string {
    while (this.#open.length > 1) this.#end()
    return textOf(this.#open[0]?.parts ?? [])
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, MAX_LENGTH)
  }

  #end(): void {
    const node = this.#open.pop()
    if (node) this.#open.at(-1)?.parts.push([node.name, lineOf(node)])
  }
}

const unprefixed = (attributes: Record<string, string>) =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [localName(name), value]))

/** Access to child elements: by name for OMML, by position for MathML. */
interface ElementAccess extends Node {
  named(part: string): string
  at(place: number): string
}

const scriptedInside: Line = ({ named }) => scripted(named('e'), named('sub'), named('sup'))
const over: Line = ({ at }) => scripted(at(0), '', at(1))
const under: Line = ({ at }) => scripted(at(0), at(1), '')
const both: Line = ({ at }) => scripted(at(0), at(1), at(2))
const limit: Line = ({ named }) => scripted(named('e'), named('lim'), '')
const rows: Line = ({ parts }) => listed(parts, /^(?:mr|e|mtr)$/, '; ')
const cells: Line = ({ parts }) => listed(parts, /^(?:e|mtd)$/, ', ')
const sign: Line = ({ attributes }) => attributes.val ?? ''

type Line = (node: ElementAccess) => string

/** The text form of each element. */
const LINES: Readonly<Record<string, Line>> = {
  f: ({ named }) => `${grouped(named('num'))}/${grouped(named('den'))}`,
  mfrac: ({ at }) => `${grouped(at(0))}/${grouped(at(1))}`,
  ...{ sSup: scriptedInside, sSub: scriptedInside, sSubSup: scriptedInside, sPre: scriptedInside },
  ...{ msup: over, mover: over, msub: under, munder: under, msubsup: both, munderover: both },
  ...{ limLow: limit, limUpp: limit },
  rad: ({ named }) => `${named('deg')}√${grouped(named('e'))}`,
  msqrt: ({ parts }) => `√${grouped(textOf(parts))}`,
  mroot: ({ at }) => `${at(1)}√${grouped(at(0))}`,
  nary: ({ named }) => `${scripted(named('naryPr') || '∫', named('sub'), named('sup'))} ${named('e')}`,
  func: ({ named }) => `${named('fName')} ${named('e')}`,
  d: node => delimited(node, node.named('dPr')),
  mfenced: node => delimited(node, ''),
  ...{ m: rows, eqArr: rows, mtable: rows, mr: cells, mtr: cells },
  ...{ chr: sign, begChr: sign, endChr: sign },
  naryPr: ({ named }) => named('chr'),
  dPr: ({ parts }) => {
    const signOf = (part: string, usual: string) => parts.find(([other]) => other === part)?.[1] ?? usual
    return `${signOf('begChr', '(')}\0${signOf('endChr', ')')}`
  },
  mo: ({ parts }) => {
    const operator = textOf(parts)
    return /^[=+<>±≤≥≠→⇒≈-]$/.test(operator.trim()) ? ` ${operator.trim()} ` : operator
  },
}

function lineOf(node: Node): string {
  const { name, parts } = node
  const named = (part: string) => parts.find(([other]) => other === part)?.[1] ?? ''
  const at = (place: number) => parts.filter(([other]) => other !== '')[place]?.[1] ?? ''
  const line = Object.hasOwn(LINES, name) ? LINES[name] : undefined
  return line?.({ ...node, named, at }) ?? (name.endsWith('Pr') ? '' : textOf(parts))
}

const listed = (parts: Node['parts'], kind: RegExp, separator: string) =>
  parts.flatMap(([part, text]) => (kind.test(part) ? [text] : [])).join(separator)

const textOf = (parts: Node['parts']) => parts.map(([, text]) => text).join('')

/** Adds parentheses unless the text is a single number, letter or word. */
function grouped(text: string): string {
  const flat = text.trim()
  return /^[\p{L}\p{M}\p{N}.,]*$/u.test(flat) || /^\([^()]*\)$/.test(flat) ? flat : `(${flat})`
}

function scripted(base: string, sub: string, sup: string): string {
  const below = sub.trim() === '' ? '' : `_${grouped(sub)}`
  return `${base.trim()}${below}${sup.trim() === '' ? '' : `^${grouped(sup)}`}`
}

function delimited({ name, attributes, parts }: Node, pair: string): string {
  const { open = '(', close = ')' } = attributes
  const [before = '(', after = ')'] = name === 'mfenced' ? [open, close] : pair === '' ? [] : pair.split('\0')
  const inside = parts.flatMap(([part, text]) => (part === 'dPr' || part === '' ? [] : [text]))
  return `${before}${inside.join(name === 'mfenced' ? ', ' : '|')}${after}`
}
