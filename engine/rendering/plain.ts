import { escapeHtml } from '../../platform/common/escape-html.js'
import { type ParsedDocument, type PassagePlace, plainDocument } from './article.js'

/** Plain text: an empty line ends a paragraph, line ends are kept. */
export const parseText = (text: string): ParsedDocument => parseBlocks(text, 'text')

/** Lines of data, such as JSON Lines or Turtle, in a fixed width. */
export const parseData = (text: string): ParsedDocument => parseBlocks(text, 'data')

const parseBlocks = (text: string, kind: 'text' | 'data'): ParsedDocument =>
  plainDocument(passages =>
    blocksAt(text, passages)
      .map(block => blockHtml(block, kind))
      .join('\n'),
  )

interface PlainBlock {
  id: string | null
  isRead?: boolean | undefined
  text: string
}

/** The text in its order, cut where passages begin. */
function blocksAt(text: string, passages: readonly PassagePlace[]): PlainBlock[] {
  const lines = text.split('\n')
  const starts = [...passages].sort((one, other) => one.line - other.line)
  const firsts = starts.filter(({ line }, at) => line !== starts[at - 1]?.line && line <= lines.length)
  const before = { id: null, text: lines.slice(0, (firsts[0]?.line ?? lines.length + 1) - 1).join('\n') }
  const blocks = firsts.map(({ id, isRead, line }, at) => ({
    id,
    isRead,
    text: lines.slice(line - 1, (firsts[at + 1]?.line ?? lines.length + 1) - 1).join('\n'),
  }))
  return [before, ...blocks].filter(block => block.text.trim() !== '' || block.id !== null)
}

function blockHtml({ id, isRead, text }: PlainBlock, kind: 'text' | 'data'): string {
  const read = isRead ? ' read' : ''
  const place = id === null ? '' : ` id="p-${escapeHtml(id)}"`
  if (kind === 'data') return `<pre class="data place${read}"${place}>${escapeHtml(text)}</pre>`
  const paragraphs = text.split(/\n[ \t\r]*\n/).filter(part => part.trim() !== '')
  return `<section class="place plain${read}"${place}>${paragraphs.map(part => `<p>${escapeHtml(part.trim())}</p>`).join('\n')}</section>`
}
