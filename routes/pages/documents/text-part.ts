import type { PassagePlace } from '../../../rendering/article.js'
import type { DocumentText } from '../../../safes/documents/documents.js'

/** Characters of a text that one page shows. */
const PART = 1_000_000

/** A part of a text, which ends with a line, and the places in it. */
interface TextPart {
  text: string
  passages: PassagePlace[]
  part: number
  parts: number
}

/** Cuts out the part of a long text that a page shows, counted from 1. */
export function textPart(
  { text, passages }: DocumentText,
  wanted: number,
  isRead: (id: number) => boolean,
): TextPart {
  const starts = startsOf(text)
  const part = Math.min(Math.max(wanted, 1), starts.length)
  const [from = 0, to = text.length] = [starts[part - 1], starts[part]]
  const before = starts.length === 1 ? 0 : text.slice(0, from).split('\n').length - 1
  const shown = text.slice(from, to)
  const lines = starts.length === 1 ? Number.POSITIVE_INFINITY : shown.split('\n').length
  const places = passages.flatMap(({ id, line }) =>
    line !== null && line > before && line - before <= lines
      ? [{ id: String(id), line: line - before, isRead: isRead(id) }]
      : [],
  )
  return { text: shown, passages: places, part, parts: starts.length }
}

/** Where parts begin. */
function startsOf(text: string): number[] {
  const starts = [0]
  for (let at = 0; text.length - at > PART; starts.push(at)) {
    const line = text.lastIndexOf('\n', at + PART)
    at = line > at ? line + 1 : at + PART
  }
  return starts
}
