import type { MarkdownIt, StateInline } from 'markdown-it'
import { plainAddress } from '../../../platform/common/plain-address.js'
import { type NoteLink, noteLinkOf } from '../../syntax/index.js'
import { innerTarget } from '../web-address.js'
import { type Found, inlineRule, tokenizePart } from './rules.js'

/** `[[target#heading|label]]`, or with `!` an embedded document or picture. */
export type Wikilink = NoteLink & { isEmbed: boolean }

/** Maximum characters of a wikilink; longer ones are text. */
const MAX_LENGTH = 1000

/** `[[links]]` between notes, as Obsidian, Logseq and wikis write them: tokens `wikilink` with a `Wikilink` as `meta`. */
export function wikilinks(markdown: MarkdownIt): void {
  inlineRule(markdown, 'wikilink', '[!', wikilink, 'link')
}

function wikilink(state: StateInline, at: number): Found | null {
  const { src } = state
  const isEmbed = src.startsWith('![[', at)
  if (!isEmbed && !src.startsWith('[[', at)) return null
  const from = at + (isEmbed ? 3 : 2)
  const to = src.slice(from, from + MAX_LENGTH).indexOf(']]')
  const inner = to === -1 ? '' : src.slice(from, from + to)
  if (inner.trim() === '' || /[\n[\]]/.test(inner)) return null
  const push = () => Object.assign(state.push('wikilink', '', 0), { meta: parse(inner, isEmbed) })
  return { end: from + inner.length + 2, push }
}

/** The text of a link without a label: its target. */
function parse(inner: string, isEmbed: boolean): Wikilink {
  const link = noteLinkOf(inner)
  const { target, heading } = link
  const place = heading.startsWith('^') && target !== '' ? '' : heading
  return { ...link, label: link.label || [target, place].filter(Boolean).join(' › '), isEmbed }
}

/** Maximum characters of a target. */
const MAX_TARGET_LENGTH = 500
/** `[text](A note.md)`: targets with spaces. CommonMark requires angle brackets, but many programs leave them out. */
export function spacedLinks(markdown: MarkdownIt): void {
  inlineRule(markdown, 'spaced_link', '[!', spacedLink, 'footnote_inline')
}

function spacedLink(state: StateInline, at: number): Found | null {
  const { src } = state
  const isImage = src[at] === '!'
  const from = isImage ? at + 1 : at
  if (src[from] !== '[') return null
  const labelEnd = state.md.helpers.parseLinkLabel(state, from, !isImage)
  const target = labelEnd < 0 || src[labelEnd + 1] !== '(' ? null : targetAt(src, labelEnd + 2)
  if (target === null) return null
  const label = src.slice(from + 1, labelEnd)
  const href = plainAddress(target.trim())
  const push = () => {
    if (isImage) Object.assign(state.push('image', 'img', 0), { attrs: [['src', href]], content: label })
    else pushLink(state, href, from + 1, labelEnd)
  }
  return { end: labelEnd + 2 + target.length + 1, push }
}

function pushLink(state: StateInline, href: string, from: number, to: number): void {
  state.push('link_open', 'a', 1).attrSet('href', href)
  state.linkLevel++
  tokenizePart(state, from, to)
  state.linkLevel--
  state.push('link_close', 'a', -1)
}

/** The target up to its closing bracket, or null if it has no space or leads to the web. */
function targetAt(src: string, from: number): string | null {
  let depth = 1
  for (let at = from; at < src.length && at < from + MAX_TARGET_LENGTH && src[at] !== '\n'; at++) {
    if (src[at] === '(') depth++
    if (src[at] !== ')' || --depth > 0) continue
    const target = src.slice(from, at)
    return target.trim().includes(' ') && innerTarget(target.trim()) ? target : null
  }
  return null
}
