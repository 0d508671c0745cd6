/** An element of a formula that is read. */
interface Node {
  name: string
  attributes: Record<string, string>
  /** Its elements by their names, and what they say. */
  parts: [name: string, text: string][]
}

const DEEPEST = 50
const LONGEST = 5_000
/** Of MathML: what is no part of the formula as it is shown. */
const ASIDE = new Set(['annotation', 'annotation-xml'])

/**
 * A formula of Office (OMML, ECMA-376-1 §22.1) or of OpenDocument (MathML 3 §3) as one line of text: `x = (-b ± √(b^2 - 4ac))/(2a)`.
 * Elements are named without their prefix.
 */
export class FormulaText {
  readonly #open: Node[] = [{ name: '', attributes: {}, parts: [] }]
  #depth = 0
  #length = 0
  #aside = 0

  open(name: string, attributes: Record<string, string>): void {
    this.#depth++
    if (ASIDE.has(name)) this.#aside++
    else if (this.#depth < DEEPEST) this.#open.push({ name, attributes: unprefixed(attributes), parts: [] })
  }

  /** @param text without entities */
  add(text: string): void {
    if (this.#aside > 0 || this.#length > LONGEST) return
    this.#length += text.length
    this.#open.at(-1)?.parts.push(['', text])
  }

  close(name: string): void {
    this.#depth--
    if (ASIDE.has(name)) this.#aside--
    else if (this.#depth < DEEPEST - 1 && this.#open.length > 1) this.#end()
  }

  /** What has been read. */
  text(): string {
    while (this.#open.length > 1) this.#end()
    return textOf(this.#open[0]?.parts ?? [])
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, LONGEST)
  }

  #end(): void {
    const node = this.#open.pop()
    if (node) this.#open.at(-1)?.parts.push([node.name, lineOf(node)])
  }
}

const unprefixed = (attributes: Record<string, string>) =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name.replace(/^.*:/, ''), value]))

/** How an element is written in a line: by the names of its elements in OMML, by their order in MathML. */
function lineOf({ name, attributes, parts }: Node): string {
  const named = (part: string) => parts.find(([other]) => other === part)?.[1] ?? ''
  const at = (place: number) => parts.filter(([other]) => other !== '')[place]?.[1] ?? ''
  switch (name) {
    case 'f':
      return `${grouped(named('num'))}/${grouped(named('den'))}`
    case 'mfrac':
      return `${grouped(at(0))}/${grouped(at(1))}`
    case 'sSup':
    case 'sSub':
    case 'sSubSup':
    case 'sPre':
      return scripted(named('e'), named('sub'), named('sup'))
    case 'msup':
    case 'mover':
      return scripted(at(0), '', at(1))
    case 'msub':
    case 'munder':
      return scripted(at(0), at(1), '')
    case 'msubsup':
    case 'munderover':
      return scripted(at(0), at(1), at(2))
    case 'limLow':
    case 'limUpp':
      return scripted(named('e'), named('lim'), '')
    case 'rad':
      return `${named('deg')}√${grouped(named('e'))}`
    case 'msqrt':
      return `√${grouped(textOf(parts))}`
    case 'mroot':
      return `${at(1)}√${grouped(at(0))}`
    case 'nary':
      return `${scripted(named('naryPr') || '∫', named('sub'), named('sup'))} ${named('e')}`
    case 'func':
      return `${named('fName')} ${named('e')}`
    case 'd':
    case 'mfenced':
      return delimited(name, named('dPr'), attributes, parts)
    case 'm':
    case 'eqArr':
    case 'mtable':
      return parts.flatMap(([part, text]) => (/^(?:mr|e|mtr)$/.test(part) ? [text] : [])).join('; ')
    case 'mr':
    case 'mtr':
      return parts.flatMap(([part, text]) => (/^(?:e|mtd)$/.test(part) ? [text] : [])).join(', ')
    case 'chr':
    case 'begChr':
    case 'endChr':
      return attributes.val ?? ''
    case 'naryPr':
      return named('chr')
    case 'dPr':
      return `${parts.some(([part]) => part === 'begChr') ? named('begChr') : '('}\0${parts.some(([part]) => part === 'endChr') ? named('endChr') : ')'}`
    case 'mo':
      return /^[=+<>±≤≥≠→⇒≈-]$/.test(textOf(parts).trim()) ? ` ${textOf(parts).trim()} ` : textOf(parts)
    default:
      return name.endsWith('Pr') ? '' : textOf(parts)
  }
}

const textOf = (parts: Node['parts']) => parts.map(([, text]) => text).join('')

/** In brackets unless it is one number, letter or word. */
function grouped(text: string): string {
  const flat = text.trim()
  return /^[\p{L}\p{M}\p{N}.,]*$/u.test(flat) || /^\([^()]*\)$/.test(flat) ? flat : `(${flat})`
}

function scripted(base: string, sub: string, sup: string): string {
  const below = sub.trim() === '' ? '' : `_${grouped(sub)}`
  return `${base.trim()}${below}${sup.trim() === '' ? '' : `^${grouped(sup)}`}`
}

function delimited(
  name: string,
  pair: string,
  { open = '(', close = ')' }: Record<string, string>,
  parts: Node['parts'],
): string {
  const [before = '(', after = ')'] = name === 'mfenced' ? [open, close] : pair === '' ? [] : pair.split('\0')
  const inside = parts.flatMap(([part, text]) => (part === 'dPr' || part === '' ? [] : [text]))
  return `${before}${inside.join(name === 'mfenced' ? ', ' : '|')}${after}`
}
