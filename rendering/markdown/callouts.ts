import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { titleOf } from './block-lines.js'

const MARK = /^\[!([\w-]{1,40})\][+-]?[ \t]*(.*)(?:\n|$)/

/** Quotations that begin with `[!note] Title`, as GitHub and Obsidian write them. */
export function callouts(markdown: MarkdownIt): void {
  markdown.core.ruler.after('block', 'callouts', markCallouts)
}

function markCallouts(state: StateCore): void {
  const { tokens } = state
  if (!tokens.some(({ type }) => type === 'blockquote_open')) return
  state.tokens = tokens.flatMap((token, at) => {
    const quote = tokens[at - 2]
    const isFirst = token.type === 'inline' && quote?.type === 'blockquote_open'
    const mark = isFirst ? MARK.exec(token.content) : null
    if (!mark || !quote) return token
    const [whole, kind = '', title = ''] = mark
    quote.attrSet('class', `callout callout-${kind.toLowerCase()}`)
    tokens[at - 1]?.attrSet('class', 'callout-title')
    const heading = [...(title ? [hidden(state, kind)] : []), inline(state, token, title || titleOf(kind))]
    const rest = token.content.slice(whole.length)
    if (rest.trim() === '') return heading
    return [...heading, paragraph(state, -1), paragraph(state, 1, token), inline(state, token, rest)]
  })
}

/** The kind of one that has a title. */
function hidden(state: StateCore, content: string): Token {
  return Object.assign(new state.Token('hidden_words', '', 0), { content })
}

function inline(state: StateCore, { map, level }: Token, content: string): Token {
  return Object.assign(new state.Token('inline', '', 0), { content, map, level, children: [] })
}

function paragraph(state: StateCore, nesting: -1 | 1, at?: Token): Token {
  const token = new state.Token(nesting === 1 ? 'paragraph_open' : 'paragraph_close', 'p', nesting)
  return Object.assign(token, { block: true, map: at?.map ?? null })
}
