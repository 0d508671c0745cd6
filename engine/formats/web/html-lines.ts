import type { Parsed } from '../../graph/index.js'
import type { Document } from '../shared/document.js'
import { piecesOf } from '../shared/lines.js'
import { linesTarget } from '../shared/text-flow.js'
import { joined } from '../shared/values.js'
import { HtmlText, type HtmlTextOptions } from './html-text.js'

/** A title or another line with HTML elements and entities, as text. */
export const htmlLine = (html: string): string =>
  /<[a-z/!]|&[#a-z\d]{2,20};/i.test(html) ? joined(htmlLines(html), ' ').trim() : html

/** The lines of a piece of HTML as text: lists with bullets, tables with bars, headings with `#`. */
export function htmlLines(html: string): string[] {
  const lines: string[] = []
  const page = new HtmlText(linesTarget(lines), { isPart: true })
  page.write(html)
  page.end()
  return lines
}

/** Reads a page into a document; yields between pieces. */
export function* htmlInto(document: Document, html: string, options: HtmlTextOptions): Generator<Parsed[]> {
  const page = new HtmlText(document, options)
  for (const piece of piecesOf(html)) {
    page.write(piece)
    yield document.take()
  }
  page.end()
}
