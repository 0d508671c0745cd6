import type { MarkdownIt, StateInline } from 'markdown-it'
import { escapeHtml } from '../../../platform/common/escape-html.js'

/** `:material-check:`, a set of icons and one of them, perhaps with its size. */
const ICON =
  /:((?:material|octicons|fontawesome|simple|lucide)-(?:(?:brands|regular|solid)-)?)([a-z0-9-]{1,80}?)(-\d\d)?:/y

type Icon = {
  set: string
  name: string
  size: string
}

/** Icons of MkDocs, which are not there: their name, as pictures have one. */
export function icons(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'icon', icon)
  markdown.renderer.rules.icon = (tokens, at) => {
    const { set, name, size } = tokens[at]?.meta as Icon
    return `<span class="image">${hidden(set)}${escapeHtml(name)}${hidden(size)}</span>`
  }
}

const hidden = (text: string) => (text === '' ? '' : `<span hidden>${escapeHtml(text)}</span>`)

function icon(state: StateInline, silent: boolean): boolean {
  if (state.src[state.pos] !== ':') return false
  ICON.lastIndex = state.pos
  const [all, set, name, size = ''] = ICON.exec(state.src) ?? []
  if (all === undefined) return false
  if (!silent) state.push('icon', '', 0).meta = { set, name, size }
  state.pos += all.length
  return true
}
