/**
 * The Markdown syntax of notes, shared by reading (`engine/formats`) and rendering (`engine/rendering`) so that both
 * interpret it alike: front matter and its properties, links between notes, and ids of blocks.
 *
 * - Takes: parts of a text.
 * - Gives: their parsed form, or patterns for use in other expressions.
 * - Refuses: nothing. Anything else is text.
 * - Costs: linear; every repetition is bounded.
 */

export { FrontMatter, type Property } from './front-matter.js'

/** The id of a Logseq block, used in references to it. */
export const BLOCK_UUID = '[0-9a-f]{8}-[0-9a-f-]{27}'

/** `[[target#heading|label]]` */
export type NoteLink = {
  target: string
  /** A heading, or a block id after `^`. */
  heading: string
  /** Empty if there is none. */
  label: string
}

/** Parses the text between the brackets of a link. Optimized, because notes have many links. */
export function noteLinkOf(inner: string): NoteLink {
  // The bar is escaped in tables.
  const text = inner.includes('\\|') ? inner.replaceAll('\\|', '|') : inner
  const bar = text.indexOf('|')
  const link = bar === -1 ? text : text.slice(0, bar)
  const label = bar === -1 ? '' : text.slice(bar + 1).trim()
  const at = link.search(/[#^]/)
  if (at === -1) return { target: link.trim(), heading: '', label }
  const place = link.slice(link[at] === '#' ? at + 1 : at)
  // The last of nested headings.
  return { target: link.slice(0, at).trim(), heading: place.slice(place.lastIndexOf('#') + 1).trim(), label }
}

/** The match of a sticky pattern at an offset. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
