import type { MarkdownIt } from 'markdown-it'
import { escapeHtml } from '../../../platform/common/escape-html.js'
import { inlineRule, matchAt } from './rules.js'

/** `:material-check:`, a set of icons and one of them, perhaps with its size. */
const ICON =
  /:((?:material|octicons|fontawesome|simple|lucide)-(?:(?:brands|regular|solid)-)?)([a-z0-9-]{1,80}?)(-\d\d)?:/y

/** Icons of MkDocs, which are not there: their name, as pictures have one. */
export function icons(markdown: MarkdownIt): void {
  inlineRule(markdown, 'icon', ':', (state, at) => {
    const found = matchAt(ICON, state.src, at)
    const push = () => Object.assign(state.push('icon', '', 0), { meta: found })
    return found && { end: at + found[0].length, push }
  })
  markdown.renderer.rules.icon = (tokens, at) => {
    const [, set = '', name = '', size = ''] = tokens[at]?.meta as unknown as string[]
    return `<span class="image">${hidden(set)}${escapeHtml(name)}${hidden(size)}</span>`
  }
}

const hidden = (text: string) => (text === '' ? '' : `<span hidden>${escapeHtml(text)}</span>`)
