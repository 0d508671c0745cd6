import type { MarkdownIt, StateInline } from 'markdown-it'
import { escapeHtml } from '../../../platform/common/escape-html.js'
import { type Found, inlineRule, matchAt } from './rules.js'

/** `^name` at the end of a line. */
const NAME = /\^([\w-]{1,60})[ \t]*(?=\n|$)/iy

/** The id of a block in the page. */
export const blockId = (name: string): string => `b-${name.toLowerCase().slice(0, 60)}`

/** Names of blocks, by which links of Obsidian lead to them: a place, and no text. */
export function blockIds(markdown: MarkdownIt): void {
  inlineRule(markdown, 'block_id', '^', readName)
  markdown.renderer.rules.block_id = (tokens, at) => {
    const name = tokens[at]?.content ?? ''
    return `<span id="${escapeHtml(blockId(name))}"><span hidden>${escapeHtml(name)}</span></span>`
  }
}

function readName(state: StateInline, at: number): Found | null {
  const { src, pending, tokens } = state
  // Behind what is embedded there may be no space.
  const isBehind = pending === '' && tokens.at(-1)?.type === 'wikilink'
  const found = isBehind || /^\s?$/.test(src[at - 1] ?? '') ? matchAt(NAME, src, at) : null
  const push = () => Object.assign(state.push('block_id', '', 0), { content: found?.[1] })
  return found && { end: at + found[0].length, push }
}
