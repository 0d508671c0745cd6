/**
 * Turns the text of a document into HTML that runs nothing and loads nothing.
 *
 * - Takes: the text, its `DocumentKind`, the places of its passages, and a function that tells where links lead.
 * - Gives: an `Article`: HTML, the outline of headings, and ids at passages. `loadPassageRenderer` does the same for a
 *   short piece of Markdown. `difference` compares two texts line by line.
 * - Refuses: nothing, and limits neither time nor memory. Render untrusted documents in a process that may
 *   end (`domain/safes/rendering`).
 * - Costs: linear in the text, about 200 ms for 1 MB; parsers load on first use.
 */
export type { Article, ArticleHeading, LinkTarget, ParsedDocument, PassagePlace } from './article.js'
export { difference } from './difference.js'
export { parseText } from './plain.js'

/** Loads `parseDocument` and the parsers of all kinds on first use. */
export const loadDocumentParser = () => import('./document.js')

/** Loads `formulaOf`, which gives a `RenderOptions.formula`, on first use: for processes that may end. */
export const loadFormulas = () => import('./markdown/formulas.js')

/** Loads `renderPassage`, which renders a short piece of Markdown, and its parser on first use. */
export const loadPassageRenderer = () => import('./markdown/markdown.js')
