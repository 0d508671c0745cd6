import type { DocumentPassage } from '../stores/document.sql.js'
import type { Removed } from './removed.js'

const WORD = /[\p{L}\p{N}]+/gu
/** Minimum share of a passage's words that must be found to locate its end. */
const FOUND = 0.9

/**
 * A text without the lines of its removed passages. A passage ends with its last word, or, if that is not found
 * because the text was read differently, before the next one. Lines of data that state a removed fact are removed as well.
 */
export function cutText(
  text: string,
  passages: readonly DocumentPassage[],
  removed: Removed,
  isData: boolean,
): string {
  const removedPassages = passages.filter(passage => passage.line !== null && removed.hasPassage(passage))
  const facts = isData
    ? removed.statements.filter(({ kind }) => kind === 'fact').map(({ shown }) => shown)
    : []
  if (removedPassages.length === 0 && facts.length === 0) return text
  const lines = text.split('\n')
  const starts = [...new Set(passages.flatMap(({ line }) => line ?? []))].sort((one, other) => one - other)
  const cut = new Set<number>()
  for (const { line, text: words } of removedPassages) {
    const first = (line ?? 1) - 1
    const next = (starts.find(start => start - 1 > first) ?? lines.length + 1) - 1
    const end = endOf(lines, first, next, words)
    for (let at = first; at < end; at++) cut.add(at)
  }
  return lines.filter((line, at) => !cut.has(at) && !facts.some(fact => says(line, fact))).join('\n')
}

/** The line after the last one that has words of the passage. */
function endOf(lines: readonly string[], first: number, next: number, text: string): number {
  const words = text.toLowerCase().match(WORD) ?? []
  let found = 0
  let end = first + 1
  for (let at = first; at < next && found < words.length; at++)
    for (const word of (lines[at] ?? '').toLowerCase().match(WORD) ?? [])
      if (word === words[found]) {
        found++
        end = at + 1
      }
  if (found >= words.length * FOUND) return end
  let last = next
  while (last > first + 1 && /^\s*(?:#{1,6}\s.*)?$/.test(lines[last - 1] ?? '')) last--
  return last
}

/** Whether a line contains all parts of a fact, in any format and spelling. */
function says(line: string, fact: readonly string[]): boolean {
  const folded = onlyWords(line)
  return fact.every(part => folded.includes(onlyWords(part)))
}

const onlyWords = (text: string) => (text.toLowerCase().match(WORD) ?? []).join('')
