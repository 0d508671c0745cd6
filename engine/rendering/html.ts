import { Parser } from 'htmlparser2'
import { escapeHtml } from '../../platform/common/escape-html.js'
import { isInvisible } from '../../platform/common/html-attributes.js'
import { words } from '../../platform/common/words.js'
import type { ArticleHeading, ParsedDocument } from './article.js'
import { HeadingIds, HeadingLevels } from './headings.js'
import { linkTag } from './markdown/links.js'
import { innerTarget } from './web-address.js'

/** Elements that a page keeps, without their attributes. */
const KEPT =
  words(`h1 h2 h3 h4 h5 h6 p ul ol li dl dt dd blockquote pre code em strong b i s u sub sup mark kbd
  table thead tbody tr th td caption figure figcaption br hr`)
const HEADING = /^h[1-6]$/
const EMPTY = new Set(['br', 'hr'])
/** Elements whose content is not text for readers. */
const LEFT_OUT = words('script style template head noscript iframe object svg rt rp')
const BLOCKS = words('div section article main header footer aside nav details summary')

/** A part of the result: HTML, or a link to look up. */
type Piece = string | { href: string }

/** An HTML file as headings, paragraphs, lists, tables and links. Other elements become their text. */
export function parseHtml(text: string): ParsedDocument {
  const writer = new Writer()
  const parser = new Parser(writer, { decodeEntities: true })
  parser.end(text)
  const { pieces, outline } = writer
  const targets = pieces.flatMap(piece =>
    typeof piece === 'string' ? [] : (innerTarget(piece.href)?.target ?? []),
  )
  return {
    targets: [...new Set(targets)].filter(Boolean),
    render: ({ resolve, passages }) => ({
      html:
        passages.map(({ id }) => `<span id="p-${escapeHtml(id)}"></span>`).join('') +
        pieces
          .map(piece =>
            typeof piece === 'string' ? piece : (linkTag(piece.href, resolve) ?? '<a class="dead">'),
          )
          .join(''),
      outline,
      hasTitle: false,
    }),
  }
}

/** Collects the text of a page with the elements that are kept. */
class Writer {
  readonly pieces: Piece[] = []
  readonly outline: ArticleHeading[] = []
  readonly #ids = new HeadingIds()
  readonly #levels = new HeadingLevels(1)
  #depth = 0
  /** Depth of the skipped element. */
  #leftOutAt: number | null = null
  /** The current heading: its start and its text. */
  #heading: { at: number; text: string; tag: string } | null = null

  onopentag(name: string, attributes: Record<string, string>): void {
    const { href, alt } = attributes
    this.#depth++
    if (LEFT_OUT.has(name) || isInvisible(name, attributes)) this.#leftOutAt ??= this.#depth
    if (this.#leftOutAt !== null) return
    if (HEADING.test(name)) {
      const tag = `h${this.#levels.next(Number(name.slice(1)))}`
      this.#heading = { at: this.pieces.length, text: '', tag }
      this.pieces.push('')
      return
    }
    if (name === 'a') this.pieces.push(href === undefined ? '<a>' : { href })
    else if (name === 'img' && alt?.trim())
      this.pieces.push(`<span class="image">${escapeHtml(alt.trim())}</span>`)
    else if (KEPT.has(name)) this.pieces.push(`<${name}>`)
    else if (BLOCKS.has(name)) this.pieces.push('<div>')
  }

  ontext(text: string): void {
    if (this.#leftOutAt !== null) return
    if (this.#heading) this.#heading.text += text
    this.pieces.push(escapeHtml(text))
  }

  onclosetag(name: string): void {
    const depth = this.#depth--
    if (this.#leftOutAt !== null) {
      if (this.#leftOutAt === depth) this.#leftOutAt = null
      return
    }
    if (HEADING.test(name)) this.#endHeading(name)
    else if (name === 'a' || (KEPT.has(name) && !EMPTY.has(name))) this.pieces.push(`</${name}>`)
    else if (BLOCKS.has(name)) this.pieces.push('</div>')
  }

  #endHeading(name: string): void {
    if (!this.#heading) return
    const text = this.#heading.text.trim()
    const id = this.#ids.next(text)
    this.pieces[this.#heading.at] = `<${this.#heading.tag} id="${escapeHtml(id)}">`
    this.pieces.push(`</${this.#heading.tag}>`)
    this.outline.push({ level: Number(name.slice(1)), text, id })
    this.#heading = null
  }
}
