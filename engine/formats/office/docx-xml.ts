import { Parser } from 'htmlparser2'
import { UnreadableFile } from '../shared/format.js'
import { piecesOf } from '../shared/lines.js'
import { chunkMark } from './docx-chunks.js'
import { FormulaText } from './formula-text.js'

const words = (text: string) => new Set(text.split(' '))

/** Elements that say nothing of the text: how it looks, where pages break, what was there before. With what is in them. */
const DROPPED = words(
  'w:rFonts w:lang w:sz w:szCs w:color w:spacing w:jc w:ind w:kern w:w w:position w:b w:bCs w:i w:iCs w:u w:strike w:caps ' +
    'w:smallCaps w:highlight w:shd w:bdr w:noProof w:proofErr w:lastRenderedPageBreak w:keepNext w:keepLines w:widowControl ' +
    'w:tabs w:contextualSpacing w:pBdr w:tblPr w:tblGrid w:tcW w:tcBorders w:vAlign w:noWrap w:tcMar w:trHeight w:cantSplit ' +
    'w:sectPr w:bookmarkStart w:bookmarkEnd w:commentRangeStart w:commentRangeEnd w:rPrChange w:pPrChange w:tcPrChange ' +
    'w:trPrChange w:cnfStyle w:latentStyles w:moveFrom w:rStyle w:vertAlign w:framePr w:outlineLvl w:suppressAutoHyphens ' +
    'w:rt mc:Choice m:rPr',
)
/** Elements around text that mammoth passes over with it: the number of a caption, text from right to left, what is read aloud. */
const UNWRAPPED = words('w:fldSimple w:dir w:bdo w:ruby w:rubyBase m:oMathPara')
/** What a run may have in it to be joined with the next one. */
const PLAIN = words('w:t w:tab w:br w:noBreakHyphen w:softHyphen')
/** Elements whose text is part of the document. */
const TEXTS = words('w:t w:instrText')
/** Revisions and identifiers of paragraphs. */
const ATTRIBUTE = /^(?:w:rsid|w14:(?:para|text)Id)/
const DEEPEST = 2_000

/**
 * The XML of a document without what does not change its text, and with runs joined that differ only in how they look: mammoth
 * takes its time and memory for each element. Formulas become text, and chunks get a place (ECMA-376-1 §17.17.2.1).
 */
export function slimXml(xml: string): string {
  // Other prefixes are as good, and rare.
  return xml.includes('<w:') ? new DocxXml().read(xml) : xml
}

class DocxXml {
  #out: string[] = []
  readonly #open: string[] = []
  /** Level of the element that is dropped. */
  #droppedAt: number | null = null
  #formula: { at: number; text: FormulaText } | null = null
  /** Of each run that is open, whether it has been written up to here; of others all is plain. */
  readonly #written: boolean[] = []
  /** What is read of a run that is not written, and the plain runs before it. */
  #run: string | null = null
  #before = ''
  #isCdata = false
  readonly #parser = new Parser(
    {
      onopentag: (name, attributes) => this.#begin(name, attributes),
      ontext: text => this.#text(text),
      onclosetag: name => this.#end(name),
      oncdatastart: () => {
        this.#isCdata = true
      },
      oncdataend: () => {
        this.#isCdata = false
      },
    },
    { xmlMode: true, decodeEntities: false },
  )

  read(xml: string): string {
    for (const piece of piecesOf(xml)) this.#parser.write(piece)
    this.#parser.end()
    return this.#out.join('')
  }

  #begin(name: string, attributes: Record<string, string>): void {
    if (this.#open.push(name) > DEEPEST) throw new UnreadableFile('The elements of this DOCX are too deep.')
    if (this.#droppedAt !== null) return
    if (this.#formula) this.#formula.text.open(localName(name), attributes)
    else if (name === 'm:oMath') this.#formula = { at: this.#open.length, text: new FormulaText() }
    else if (DROPPED.has(name) || (name === 'w:del' && !/^w:t?rPr$/.test(this.#open.at(-2) ?? '')))
      this.#droppedAt = this.#open.length
    else if (name === 'w:rPr' && this.#open.at(-2) === 'w:r') this.#droppedAt = this.#open.length
    else if (name === 'w:r') this.#beginRun()
    else if (this.#run !== null && PLAIN.has(name)) this.#run += tagOf(name, attributes)
    else if (!UNWRAPPED.has(name)) {
      this.#endPlain()
      this.#out.push(tagOf(name, attributes))
      if (name === 'w:altChunk') this.#out.splice(-1, 0, chunkMark(attributes['r:id']))
    }
  }

  #text(text: string): void {
    if (this.#droppedAt !== null) return
    const safe = this.#isCdata ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') : text
    if (this.#formula) {
      if (text.trim() !== '' || this.#open.at(-1) === 'm:t') this.#formula.text.add(safe)
    } else if (this.#run !== null) {
      if (TEXTS.has(this.#open.at(-1) ?? '')) this.#run += safe
    } else if (TEXTS.has(this.#open.at(-1) ?? '') || text.trim() !== '') this.#out.push(safe)
  }

  #end(name: string): void {
    const level = this.#open.length
    this.#open.pop()
    if (this.#droppedAt !== null) {
      if (this.#droppedAt === level) this.#droppedAt = null
    } else if (this.#formula && this.#formula.at < level) this.#formula.text.close(localName(name))
    else if (this.#formula) {
      const text = `<w:t>${this.#formula.text.text()}</w:t>`
      if (this.#run === null) this.#before += text
      else this.#run += text
      this.#formula = null
    } else if (name === 'w:r') this.#endRun()
    else if (this.#run !== null) this.#run += `</${name}>`
    else if (!UNWRAPPED.has(name)) {
      this.#endPlain()
      // Properties of which none is left.
      if (name.endsWith('Pr') && this.#out.at(-1) === `<${name}>`) this.#out.pop()
      else this.#out.push(`</${name}>`)
    }
  }

  #beginRun(): void {
    this.#before += this.#run ?? ''
    this.#run = ''
    this.#written.push(false)
  }

  #endRun(): void {
    if (this.#written.pop()) {
      this.#endPlain()
      this.#out.push('</w:r>')
    } else this.#before += this.#run ?? ''
    this.#run = this.#written.at(-1) === false ? '' : null
  }

  /** Writes the runs that can be joined with no other any more; the one that is read is none that can. */
  #endPlain(): void {
    if (this.#before !== '') this.#out.push(`<w:r>${this.#before.replaceAll(JOINED, '')}</w:r>`)
    this.#before = ''
    if (this.#run === null) return
    this.#out.push(`<w:r>${this.#run}`)
    this.#written[this.#written.length - 1] = true
    this.#run = null
  }
}

const JOINED = '</w:t><w:t>'

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

function tagOf(name: string, attributes: Record<string, string>): string {
  if (name === 'w:t') return '<w:t>'
  let tag = `<${name}`
  for (const [attribute, value] of Object.entries(attributes))
    if (!ATTRIBUTE.test(attribute)) tag += ` ${attribute}="${value.replaceAll('"', '&quot;')}"`
  return `${tag}>`
}
