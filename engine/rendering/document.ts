import type { DocumentKind } from '../../platform/common/document-kind.js'
import type { ParsedDocument } from './article.js'
import { parseChat } from './chat.js'
import { HeadingIds } from './headings.js'
import { parseHtml } from './html.js'
import { parseMarkdown } from './markdown/markdown.js'
import { parseText } from './plain.js'
import { parseRecords, parseTable } from './table.js'

const PARSERS: Readonly<Record<DocumentKind, (text: string) => ParsedDocument>> = {
  markdown: text => parseMarkdown(text),
  'markdown-lines': text => parseMarkdown(text, true),
  docx: parseMarkdown,
  epub: parseMarkdown,
  mail: parseMarkdown,
  chat: parseChat,
  pdf: text => parsePages(text, parseText),
  slides: text => parsePages(text, page => parseMarkdown(page, true)),
  html: parseHtml,
  table: parseTable,
  text: parseText,
  data: parseRecords,
}

/** Parses a document of a Safe for a page. The result loads nothing and runs nothing. */
export function parseDocument(kind: DocumentKind, text: string): ParsedDocument {
  return PARSERS[kind](text.replace(/\r\n?/g, '\n'))
}

/** The separator of PDF pages and slides, as written by `engine/formats/office/pdf.ts`. */
const PAGE_BREAK = '\f'

/** The pages of a PDF or the slides of a presentation, each with its number. @param parse reads the text of one */
export function parsePages(text: string, parse: (page: string) => ParsedDocument): ParsedDocument {
  let line = 1
  const pages = text.split(PAGE_BREAK).map(page => {
    const from = line
    line += page.split('\n').length - 1
    return { from, to: line, page: parse(page) }
  })
  return {
    targets: [...new Set(pages.flatMap(({ page }) => page.targets))],
    render: options => {
      const ids = new HeadingIds()
      const articles = pages.map(({ from, to, page }, at) => {
        const here = options.passages.filter(
          place => place.line >= from && (place.line < to || at === pages.length - 1),
        )
        const passages = here.map(place => ({ ...place, line: place.line - from + 1 }))
        const article = page.render({ ...options, title: undefined, passages, ids })
        return { ...article, html: `<h2 class="page" id="h-page-${at + 1}">${at + 1}</h2>\n${article.html}` }
      })
      return {
        html: articles.map(({ html }) => html).join('\n'),
        outline: articles.flatMap(({ outline }) => outline),
        hasTitle: false,
      }
    },
  }
}
