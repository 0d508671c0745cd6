import type { MarkdownIt, StateInline } from 'markdown-it'

/** `[[target#heading|label]]`, or with `!` an embedded document or picture. */
export type Wikilink = {
  target: string
  heading: string
  label: string
  isEmbed: boolean
}

/** Characters of a wikilink. Longer ones are text. */
const LONGEST = 1000

/** `[[links]]` between notes, as Obsidian, Logseq and wikis write them: tokens `wikilink` with a `Wikilink` as `meta`. */
export function wikilinks(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('link', 'wikilink', wikilink)
}

function wikilink(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  const isEmbed = src.startsWith('![[', pos)
  if (!isEmbed && !src.startsWith('[[', pos)) return false
  const from = pos + (isEmbed ? 3 : 2)
  const to = src.slice(from, from + LONGEST).indexOf(']]')
  const inner = to === -1 ? '' : src.slice(from, from + to)
  if (inner.trim() === '' || /[\n[\]]/.test(inner)) return false
  if (!silent) state.push('wikilink', '', 0).meta = parse(inner, isEmbed)
  state.pos = from + inner.length + 2
  return true
}

function parse(inner: string, isEmbed: boolean): Wikilink {
  // In a table, the bar is escaped.
  const [link = '', ...labels] = inner.replace(/\\\|/g, '|').split('|')
  const at = link.indexOf('#')
  const target = (at === -1 ? link : link.slice(0, at)).trim()
  const heading = at === -1 ? '' : link.slice(at + 1).trim()
  const label = labels.join('|').trim() || [target, heading].filter(Boolean).join(' › ')
  return { target, heading, label, isEmbed }
}
