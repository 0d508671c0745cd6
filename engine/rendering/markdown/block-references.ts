import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it'
import { escapeHtml } from '../../../platform/common/escape-html.js'
import { BLOCK_UUID, matchAt } from '../../syntax/index.js'
import type { RenderOptions } from '../article.js'
import { hiddenHtml } from './block-parts.js'
import { blockId } from './inline-marks.js'
import { type Found, inlineRule } from './rules.js'

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

function readReference(state: StateInline, at: number): Found | null {
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
