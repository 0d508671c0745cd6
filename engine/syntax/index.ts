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
  /** The label read as the target, as in Dendron: `[[label|some.note]]`. */
  turned?: { target: string; heading: string } | undefined
}

/** Names of notes in Dendron: `some.note`. */
const NAME = /^[\w/-]{1,200}(?:\.[\w-]{1,200})*(?:#.*)?$/
/** Removes the vault from a Dendron link (`dendron://vault/some.note`), because a Safe has no vaults. */
export const withoutVault = (link: string): string =>
  link.includes('dendron:') ? link.replace(/^\s?dendron:\/\/[^/]{1,200}\//, '') : link

/** Parses the text between the brackets of a link. Optimized, because notes have many links. */
export function noteLinkOf(inner: string): NoteLink {
  // The bar is escaped in tables.
  const text = inner.includes('\\|') ? inner.replaceAll('\\|', '|') : inner
  const bar = text.indexOf('|')
  if (bar === -1) return { ...placeOf(withoutVault(text)), label: '' }
  const said = text.slice(bar + 1).trim()
  const label = withoutVault(said)
  const { target, heading } = placeOf(withoutVault(text.slice(0, bar)))
  return { target, heading, label, turned: said !== label || NAME.test(label) ? placeOf(label) : undefined }
}

function placeOf(link: string): { target: string; heading: string } {
  const at = link.search(/[#^]/)
  if (at === -1) return { target: link.trim(), heading: '' }
  return { target: link.slice(0, at).trim(), heading: headingOf(link.slice(link[at] === '#' ? at + 1 : at)) }
}

/** The last of nested headings, and the first of a Dendron range (`from,1:#to`). */
function headingOf(text: string): string {
  const [from = ''] = text.split(':#')
  return (from.split('#').at(-1) ?? '').replace(/,\d+$/, '').trim()
}

/** The match of a sticky pattern at an offset. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
