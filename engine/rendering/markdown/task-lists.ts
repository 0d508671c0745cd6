import type { MarkdownIt, StateCore } from 'markdown-it'

const BOX = /^\[([ xX/-])\]\s+/

/** List items that begin with `[ ]` or `[x]`: boxes as characters, because a page of a document has no form. */
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
