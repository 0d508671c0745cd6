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
    const { map, level } = token
    const made = (type: string, nesting: -1 | 0 | 1, fields: Partial<Token>) =>
      Object.assign(new state.Token(type, nesting === 0 ? '' : 'p', nesting), fields)
    const inline = (content: string) => made('inline', 0, { content, map, level, children: [] })
    const heading = [...(unseen ? [made('hidden_words', 0, { content: unseen })] : []), inline(named)]
    const rest = token.content.slice(whole.length)
    if (rest.trim() === '') return heading
    const around = { block: true, level: level - 1 }
    const between = [made('paragraph_close', -1, around), made('paragraph_open', 1, { ...around, map })]
    return [...heading, ...between, inline(rest)]
  })
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
