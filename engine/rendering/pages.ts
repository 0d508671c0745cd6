import type { ParsedDocument } from './article.js'
import { parseText } from './plain.js'

/** Between two pages of a PDF, as `engine/formats/office/pdf.ts` writes them. */
const PAGE_BREAK = '\f'

/** The pages of a PDF, each with its number. */
export function parsePages(text: string): ParsedDocument {
  const pages = text.split(PAGE_BREAK)
  return {
    targets: [],
    render: ({ resolve, passages }) => {
      let line = 1
      const html = pages.map((page, at) => {
        const from = line
        line += page.split('\n').length - 1
        const here = passages.filter(
          place => place.line >= from && (place.line < line || at === pages.length - 1),
        )
        const places = here.map(place => ({ ...place, line: place.line - from + 1 }))
        const { html } = parseText(page).render({ resolve, passages: places })
        return `<h2 class="page" id="h-page-${at + 1}">${at + 1}</h2>\n${html}`
      })
      return { html: html.join('\n'), outline: [], hasTitle: false }
    },
  }
}
