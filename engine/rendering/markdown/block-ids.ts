import type { MarkdownIt, StateInline } from 'markdown-it'
import { escapeHtml } from '../../../platform/common/escape-html.js'

/** `^name` at the end of a line. */
const NAME = /\^([\w-]{1,60})[ \t]*(?=\n|$)/iy

/** The id of a block in the page. */
export const blockId = (name: string): string => `b-${name.toLowerCase().slice(0, 60)}`

/** Names of blocks, by which links of Obsidian lead to them: a place, and no text. */
export function blockIds(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'block_id', readName)
  markdown.renderer.rules.block_id = (tokens, at) => {
    const name = tokens[at]?.content ?? ''
    return `<span id="${escapeHtml(blockId(name))}"><span hidden>${escapeHtml(name)}</span></span>`
  }
}

function readName(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  // Behind what is embedded there may be no space.
  const isBehind = state.pending === '' && state.tokens.at(-1)?.type === 'wikilink'
  if (src[pos] !== '^' || !(isBehind || /^\s?$/.test(src[pos - 1] ?? ''))) return false
  NAME.lastIndex = pos
  const [all, name = ''] = NAME.exec(src) ?? []
  if (all === undefined) return false
  if (!silent) state.push('block_id', '', 0).content = name
  state.pos += all.length
  return true
}
