import { listOf, membersOf, textOf } from '../shared/conversation.js'
import { rowOf } from '../shared/markdown-text.js'

type Block = Record<string, unknown>

/** Blocks in one another, and those of one message. */
const MAX_DEPTH = 8
const MAX_BLOCKS = 1_000

const blocksIn = (value: unknown) => listOf(value).slice(0, MAX_BLOCKS).map(membersOf)

/** The text of Slack's blocks, in Markdown: what people write with its editor, and programs with its kit. `nameOf`: of a person. */
export function textOfBlocks(blocks: unknown, nameOf: (id: string) => string, depth = 0): string {
  if (depth > MAX_DEPTH) return ''
  const texts = blocksIn(blocks).map(block => textOfBlock(block, nameOf, depth))
  return texts.filter(text => text.trim() !== '').join('\n')
}

function textOfBlock(block: Block, nameOf: (id: string) => string, depth: number): string {
  const { type, elements, style, indent, rows } = block
  const inner = (of: unknown = elements) => textOfBlocks(of, nameOf, depth + 1)
  const inLine = () =>
    blocksIn(elements)
      .map(each => textOfElement(each, nameOf))
      .join('')
  if (type === 'rich_text' || type === 'context') return inner()
  if (type === 'rich_text_section') return inLine()
  if (type === 'rich_text_preformatted') return `\`\`\`\n${inLine().replaceAll('```', '')}\n\`\`\``
  if (type === 'rich_text_quote') return inLine().replace(/^/gm, '> ')
  if (type === 'rich_text_list')
    return inner().replace(/^/gm, `${'  '.repeat(Number(indent) || 0)}${style === 'ordered' ? '1.' : '-'} `)
  if (type === 'table')
    return listOf(rows)
      .map(row => rowOf(listOf(row).map(cell => inner([cell]).replaceAll('\n', ' '))))
      .join('\n')
  // Of programs: a text, fields, a picture with words.
  const texts = [block.title, block, block.description, ...listOf(block.fields)].map(
    each => membersOf(each).text,
  )
  return [...texts.map(text => textOf(membersOf(text).text) || textOf(text)), textOf(block.alt_text)]
    .filter(text => text !== '')
    .join('\n')
}

function textOfElement(element: Block, nameOf: (id: string) => string): string {
  const { type, text, url, user_id, range, name, fallback } = element
  if (type === 'link') return textOf(text) === '' ? textOf(url) : `${textOf(text)} (${textOf(url)})`
  if (type === 'user') return `@${nameOf(textOf(user_id))}`
  if (type === 'broadcast') return `@${textOf(range)}`
  return type === 'emoji' ? `:${textOf(name)}:` : textOf(text) || textOf(fallback)
}
