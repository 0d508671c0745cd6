import type { ParsedDocument } from './article.js'
import { HeadingIds } from './headings.js'

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
