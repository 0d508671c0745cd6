import type { DocumentPassage } from './documents.js'

/** Consecutive passages, by their numbers. */
export interface PassageSpan {
  first: number
  last: number
}

const HEADING = /^#{1,6}\s/

/** The passages that overlap a range of a text. Both numbers are 0 if no place is known. */
export function passagesBetween(
  text: string,
  passages: readonly DocumentPassage[],
  from: number,
  to: number,
): PassageSpan {
  const [firstLine, lastLine] = [lineAt(text, from), lineAt(text, Math.max(from, to - 1))]
  const known = passages.flatMap(({ id, line }) => (line === null ? [] : [{ id, line }]))
  const inOrder = known.sort((one, other) => one.line - other.line || one.id - other.id)
  const last = inOrder.findLast(({ line }) => line <= lastLine)
  // A passage that begins before the first line extends into it, unless that line is a heading.
  const next = inOrder.find(({ line }) => line > firstLine)
  const before = HEADING.test(text.slice(from, to)) ? next : undefined
  const start = before ?? inOrder.findLast(({ line }) => line <= firstLine) ?? next
  const first = inOrder.find(({ line }) => line === start?.line)
  return first && last ? { first: first.id, last: last.id } : { first: 0, last: 0 }
}

/** The number of the line that contains a place, counted from 1. */
function lineAt(text: string, place: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < place; at = text.indexOf('\n', at + 1)) line++
  return line
}
