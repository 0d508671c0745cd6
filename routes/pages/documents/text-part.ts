import type { DocumentText } from '../../../domain/safes/documents/documents.js'
import type { PassagePlace } from '../../../engine/rendering/index.js'
import type { DocumentKind } from '../../../platform/common/document-kind.js'

/** Maximum characters of a text on one page. For rows these are some thousand, which browsers take long to lay out. */
const PART = 1_000_000
const PART_OF_ROWS = 150_000

/** A part of a text that ends with a line, and the places in it. */
interface TextPart {
  text: string
  passages: PassagePlace[]
  part: number
  parts: number
}

/** The requested part, counted from 1, or that with a passage. */
interface RequestedPart {
  kind: DocumentKind
  part?: number | undefined
  passage?: number | undefined
}

/** Cuts out the part of a long text that a page shows. Each part of a table begins with the names of its columns. */
export function textPart(
  { text, passages }: DocumentText,
  wanted: RequestedPart,
  isRead: (id: number) => boolean,
): TextPart {
  const isTable = wanted.kind === 'table'
  const starts = startsOf(text, isTable || wanted.kind === 'data' ? PART_OF_ROWS : PART)
  const linesBefore = starts.length === 1 ? [0] : linesBeforeEach(text, starts)
  const line = passages.find(({ id }) => id === wanted.passage)?.line ?? null
  const at = line === null ? (wanted.part ?? 1) : linesBefore.filter(before => before < line).length
  const part = Math.min(Math.max(at, 1), starts.length)
  const [from = 0, to = text.length] = [starts[part - 1], starts[part]]
  const head = isTable && from > 0 ? text.slice(0, text.indexOf('\n') + 1) : ''
  const before = linesBefore[part - 1] ?? 0
  const here = text.slice(from, to)
  const lines = starts.length === 1 ? Number.POSITIVE_INFINITY : here.split('\n').length
  const places = passages.flatMap(({ id, line }) =>
    line !== null && line > before && line - before <= lines
      ? [{ id: String(id), line: line - before + (head === '' ? 0 : 1), isRead: isRead(id) }]
      : [],
  )
  return { text: head + here, passages: places, part, parts: starts.length }
}

/** The starts of parts. */
function startsOf(text: string, size: number): number[] {
  const starts = [0]
  for (let at = 0; text.length - at > size; starts.push(at)) {
    const line = text.lastIndexOf('\n', at + size)
    at = line > at ? line + 1 : at + size
  }
  return starts
}

/** The number of lines before each part. */
function linesBeforeEach(text: string, starts: readonly number[]): number[] {
  let [lines, from] = [0, 0]
  return starts.map(start => {
    for (let at = text.indexOf('\n', from); at !== -1 && at < start; at = text.indexOf('\n', at + 1)) lines++
    from = start
    return lines
  })
}
