import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it'
import { escapeHtml } from '../../../platform/common/escape-html.js'
import { plainAddress } from '../../../platform/common/plain-address.js'
import { BLOCK_UUID, matchAt, type NoteLink, noteLinkOf } from '../../syntax/index.js'
import type { RenderOptions } from '../article.js'
import { innerTarget } from '../web-address.js'
import { blockId } from './inline-marks.js'
import { type FoundMarkup, hiddenHtml, inlineRule } from './rules.js'

/** `[[target#heading|label]]`, or with `!` an embedded document or picture. */
export type Wikilink = NoteLink & { isEmbed: boolean }

/** Maximum characters of a wikilink; longer ones are text. */
const MAX_LENGTH = 1000

/** `[[links]]` between notes, as Obsidian, Logseq and wikis write them: tokens `wikilink` with a `Wikilink` as `meta`. */
export function wikilinks(markdown: MarkdownIt): void {
  inlineRule(markdown, 'wikilink', '[!', wikilink, 'link')
}

function wikilink(state: StateInline, at: number): FoundMarkup | null {
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
  const { parseLinkDestination: parse, parseLinkTitle } = markdown.helpers
  const isEnd = (src: string, at: number) => /^\s*\)/.test(src.slice(at, at + MAX_TARGET_LENGTH))
  const parseLinkDestination: typeof parse = (src, from, max) => {
    const found = parse(src, from, max)
    if (src[from - 1] !== '(' || (found.ok && isEnd(src, found.pos))) return found
    const [space = ''] = /^\s*/.exec(src.slice(found.pos, max)) ?? []
    const title = parseLinkTitle(src, found.pos + space.length, max)
    const target = title.ok && isEnd(src, title.pos) ? null : targetAt(src, from)
    return target === null
      ? found
      : { ...found, ok: true, pos: from + target.length, str: plainAddress(target.trim()) }
  }
  markdown.helpers = { ...markdown.helpers, parseLinkDestination }
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

/** A reference to a block by its id, or an embed of it. */
export interface BlockReference {
  id: string
  label: string
  isEmbed: boolean
}

const REFERENCE = new RegExp(`\\(\\((${BLOCK_UUID})\\)\\)`, 'i')
const LABELLED = new RegExp(`\\[([^[\\]\n]{1,300})\\]\\(\\(\\((${BLOCK_UUID})\\)\\)\\)`, 'iy')
const EMBEDDED = new RegExp(`\\{\\{embed {1,5}\\(\\((${BLOCK_UUID})\\)\\) {0,5}\\}\\}`, 'iy')

/** `((id))`, `[label](((id)))` and `{{embed ((id))}}` of Logseq: the text of the block, with a link to its place. */
export function blockReferences(markdown: MarkdownIt): void {
  inlineRule(markdown, 'block_reference', '[{', readReference)
  markdown.core.ruler.after('inline', 'block_reference', splitTexts)
}

/** The target for `resolve`. */
export const blockTarget = (id: string): string => `((${id.toLowerCase()}))`

function readReference(state: StateInline, at: number): FoundMarkup | null {
  const isEmbed = state.src[at] === '{'
  const found = matchAt(isEmbed ? EMBEDDED : LABELLED, state.src, at)
  const meta = { id: found?.at(-1) ?? '', label: isEmbed ? '' : (found?.[1] ?? ''), isEmbed }
  const push = () => Object.assign(state.push('block_reference', '', 0), { meta })
  return found && { end: at + found[0].length, push }
}

/** The parser does not end text at brackets. */
function splitTexts({ tokens, Token }: StateCore): void {
  for (const token of tokens)
    if (token.children && token.content.includes('(('))
      token.children = token.children.flatMap(child =>
        child.type === 'text' ? partsOf(child, Token) : child,
      )
}

function partsOf(text: Token, Make: StateCore['Token']): Token[] {
  const parts = text.content.split(REFERENCE)
  if (parts.length === 1) return [text]
  return parts.map((part, at) => {
    const token = new Make(at % 2 === 1 ? 'block_reference' : 'text', '', 0)
    token.level = text.level
    if (at % 2 === 1) token.meta = { id: part, label: '', isEmbed: false }
    else token.content = part
    return token
  })
}

/** A known block becomes a link to its place. */
export function blockHtml(
  { id, label, isEmbed }: BlockReference,
  { resolve }: Pick<RenderOptions, 'resolve'>,
): string {
  const found = resolve(blockTarget(id))
  const text = escapeHtml(label || found?.text || '…')
  if (!found) return `<span class="dead">${text}</span>${hiddenHtml(id)}`
  return `<a${isEmbed ? ' class="embed"' : ''} href="${escapeHtml(`${found.href}#${blockId(id)}`)}">${text}</a>`
}
