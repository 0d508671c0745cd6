/**
 * The syntax of notes in Markdown that reading (`engine/formats`) and showing (`engine/rendering`) share, so that both mean the
 * same by it: where front matter ends and what a property of it is, links between notes, and the ids of blocks.
 *
 * - Takes: parts of a text.
 * - Gives: what they mean, or patterns for expressions of one's own.
 * - Refuses: nothing. What is no such syntax is text.
 * - Costs: linear; every repetition is bounded.
 */

export { FrontMatter, type Property } from './front-matter.js'

/** The id of a block of Logseq, by which other blocks refer to it. */
export const BLOCK_UUID = '[0-9a-f]{8}-[0-9a-f-]{27}'

/** `[[target#heading|label]]` */
export type NoteLink = {
  target: string
  /** Or the name of a block, behind `^`. */
  heading: string
  /** Empty if it has none. */
  label: string
  /** What the label means if it is the target: Dendron writes `[[label|some.note]]`. */
  turned?: { target: string; heading: string } | undefined
}

/** How Dendron names notes: `some.note`. */
const NAME = /^[\w/-]{1,200}(?:\.[\w-]{1,200})*(?:#.*)?$/
/** The name of a note of another vault of Dendron (`dendron://vault/some.note`), as a Safe has no vaults in it. */
export const withoutVault = (link: string): string =>
  link.includes('dendron:') ? link.replace(/^\s?dendron:\/\/[^/]{1,200}\//, '') : link

/** A link, by what stands between its brackets. Notes have many links, so it reads only what a link has. */
export function noteLinkOf(inner: string): NoteLink {
  // In a table, the bar is escaped.
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

/** Of headings in headings the last, of a range of Dendron (`from,1:#to`) the first. */
function headingOf(text: string): string {
  const [from = ''] = text.split(':#')
  return (from.split('#').at(-1) ?? '').replace(/,\d+$/, '').trim()
}
