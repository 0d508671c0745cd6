import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { titleOf } from './rules.js'

/** An unknown kind is the title, and a style may follow: `[!What it is]`, `[!note|wide]`. */
const MARK = /^\[!([^[\]|\n]{1,100})(?:\|([^[\]\n]{0,100}))?\][+-]?(?![([])(.*)\n?/
const WORD = /^[\w-]+$/

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
    const [whole, kind = '', style = ''] = mark
    const title = mark[3]?.trim() ?? ''
    quote.attrSet('class', `callout callout-${kind.toLowerCase().replace(/[^\w-]+/g, '-')}`)
    tokens[at - 1]?.attrSet('class', 'callout-title')
    const unseen = [title ? kind : '', style].join(' ').trim()
    const named = title || (WORD.test(kind) ? titleOf(kind) : kind)
    const heading = [...(unseen ? [hidden(state, unseen)] : []), inline(state, token, named)]
    const rest = token.content.slice(whole.length)
    if (rest.trim() === '') return heading
    return [...heading, paragraph(state, -1, token), paragraph(state, 1, token), inline(state, token, rest)]
  })
}

/** Hidden words: the kind of a callout that has a title. */
function hidden(state: StateCore, content: string): Token {
  return Object.assign(new state.Token('hidden_words', '', 0), { content })
}

function inline(state: StateCore, { map, level }: Token, content: string): Token {
  return Object.assign(new state.Token('inline', '', 0), { content, map, level, children: [] })
}

/** The opening or closing token around a text. */
function paragraph(state: StateCore, nesting: -1 | 1, { map, level }: Token): Token {
  const token = new state.Token(nesting === 1 ? 'paragraph_open' : 'paragraph_close', 'p', nesting)
  return Object.assign(token, { block: true, map: nesting === 1 ? map : null, level: level - 1 })
}

const BOX = /^\[([ xX/-])\]\s+/

/** List items that begin with `[ ]` or `[x]`: characters instead of inputs, because documents have no forms. */
export function taskLists(markdown: MarkdownIt): void {
  markdown.core.ruler.after('block', 'task_lists', markTasks)
}

function markTasks({ tokens }: StateCore): void {
  tokens.forEach((token, at) => {
    const item = tokens[at - 2]
    const box = token.type === 'inline' && item?.type === 'list_item_open' ? BOX.exec(token.content) : null
    if (!box || !item) return
    item.attrJoin('class', 'task')
    token.content = `${box[1] === ' ' ? '☐' : '☑'} ${token.content.slice(box[0].length)}`
  })
}
