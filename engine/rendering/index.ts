/**
 * Turns the text of a document into HTML that runs nothing and loads nothing.
 *
 * - Takes: the text, its `DocumentKind`, the places of its passages, and a function that tells where links lead.
 * - Gives: an `Article`: HTML, the outline of headings, and ids at passages. `loadPassageRenderer` does the same for a
 *   short piece of Markdown.
 * - Refuses: nothing. A document that takes too much time or memory is shown as plain text.
 * - Costs: linear in the text, about 200 ms for 1 MB. Long documents are rendered in a child process with limits of
 *   time and memory; parsers load on first use.
 */
export type { Article, Heading, LinkTarget, PassagePlace } from './article.js'
export { parseText } from './plain.js'
export { Renderer } from './renderer.js'

/** Loads what renders a short piece of Markdown (`renderPassage`), with its parser, on first use. */
export const loadPassageRenderer = () => import('./markdown/markdown.js')
