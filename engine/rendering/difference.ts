import { diffWordsWithSpace, structuredPatch } from 'diff'

/** A line of a difference. Of a changed line, the words that differ are marked. */
interface DifferenceLine {
  kind: 'same' | 'added' | 'removed'
  parts: { text: string; isMarked: boolean }[]
}

/** Maximum edits between two texts, and between two lines. The time grows with their square. */
const MAX_EDITS = 1_000
const MAX_WORD_EDITS = 100
const KINDS: Record<string, DifferenceLine['kind']> = { '+': 'added', '-': 'removed', ' ': 'same' }

/** The differences of two texts, line by line, with three lines of context. Null if they differ too much. */
export function difference(before: string, after: string): DifferenceLine[][] | null {
  const limits = { context: 3, maxEditLength: MAX_EDITS }
  return (
    structuredPatch('', '', before, after, '', '', limits)?.hunks.map(({ lines }) => marked(lines)) ?? null
  )
}

/** Each removed line is compared with the added one in its place. */
function marked(lines: readonly string[]): DifferenceLine[] {
  const shown = lines.flatMap((line): DifferenceLine[] => {
    const kind = KINDS[line.charAt(0)]
    return kind ? [{ kind, parts: [{ text: line.slice(1), isMarked: false }] }] : []
  })
  for (let at = 0; at < shown.length; ) {
    const removed = countOf(shown, at, 'removed')
    const added = countOf(shown, at + removed, 'added')
    for (let i = 0; i < Math.min(removed, added); i++) markWords(shown[at + i], shown[at + removed + i])
    at += Math.max(removed + added, 1)
  }
  return shown
}

function countOf(lines: readonly DifferenceLine[], from: number, kind: DifferenceLine['kind']): number {
  let to = from
  while (lines[to]?.kind === kind) to++
  return to - from
}

function markWords(removed: DifferenceLine | undefined, added: DifferenceLine | undefined): void {
  const [before, after] = [removed?.parts[0]?.text, added?.parts[0]?.text]
  if (!removed || !added || before === undefined || after === undefined) return
  const words = diffWordsWithSpace(before, after, { maxEditLength: MAX_WORD_EDITS }) ?? []
  if (!words.some(word => !word.added && !word.removed && word.value.trim() !== '')) return
  const partsWithout = (other: 'added' | 'removed', own: 'added' | 'removed') =>
    words.filter(word => !word[other]).map(word => ({ text: word.value, isMarked: word[own] }))
  removed.parts = partsWithout('added', 'removed')
  added.parts = partsWithout('removed', 'added')
}
