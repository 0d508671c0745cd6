import type { MarkdownIt, StateInline } from 'markdown-it'
import { type Found, inlineRule } from './rules.js'

/** `[[target#heading|label]]`, or with `!` an embedded document or picture. */
export type Wikilink = {
  target: string
  heading: string
  label: string
  isEmbed: boolean
  /** What the label means if it is the target: Dendron writes `[[label|some.note]]`. */
  turned?: { target: string; heading: string } | undefined
}

/** How Dendron names notes: `some.note`. */
const NAME = /^[\w/-]{1,200}(?:\.[\w-]{1,200})*(?:#.*)?$/

/** A note of another vault of Dendron. A Safe has no vaults in it. */
const OTHER_VAULT = /^\s?dendron:\/\/[^/]{1,200}\//

/** Characters of a wikilink. Longer ones are text. */
const LONGEST = 1000

/** `[[links]]` between notes, as Obsidian, Logseq and wikis write them: tokens `wikilink` with a `Wikilink` as `meta`. */
export function wikilinks(markdown: MarkdownIt): void {
  inlineRule(markdown, 'wikilink', '[!', wikilink, 'link')
}

function wikilink(state: StateInline, at: number): Found | null {
  const { src } = state
  const isEmbed = src.startsWith('![[', at)
  if (!isEmbed && !src.startsWith('[[', at)) return null
  const from = at + (isEmbed ? 3 : 2)
  const to = src.slice(from, from + LONGEST).indexOf(']]')
  const inner = to === -1 ? '' : src.slice(from, from + to)
  if (inner.trim() === '' || /[\n[\]]/.test(inner)) return null
  const push = () => Object.assign(state.push('wikilink', '', 0), { meta: parse(inner, isEmbed) })
  return { end: from + inner.length + 2, push }
}

function parse(inner: string, isEmbed: boolean): Wikilink {
  // In a table, the bar is escaped.
  const [link = '', ...labels] = inner.replace(/\\\|/g, '|').split('|')
  const { target, heading } = targetOf(link.replace(OTHER_VAULT, ''))
  const said = labels.join('|').trim()
  const given = said.replace(OTHER_VAULT, '')
  const place = heading.startsWith('^') && target !== '' ? '' : heading
  const label = given || [target, place].filter(Boolean).join(' › ')
  return {
    target,
    heading,
    label,
    isEmbed,
    turned: said !== given || NAME.test(given) ? targetOf(given) : undefined,
  }
}

function targetOf(link: string): { target: string; heading: string } {
  const at = link.indexOf('#')
  if (at === -1) return { target: link.trim(), heading: '' }
  return { target: link.slice(0, at).trim(), heading: headingOf(link.slice(at + 1)) }
}

/** Of headings in headings the last, of a range of Dendron (`from,1:#to`) the first. */
function headingOf(text: string): string {
  const [from = ''] = text.split(':#')
  return (from.split('#').at(-1) ?? '').replace(/,\d+$/, '').trim()
}
