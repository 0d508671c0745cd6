import { quoted } from './one-line.js'
import type { Ranking } from './query.js'

/** What hints are made of; names as people wrote them, not keys. */
export interface Outcome {
  safeName: string
  counts: { entities: number; relations: number; passages: number }
  /** Facts and passages found. */
  total: number
  unmatched: Ranking['unmatched']
  /** Names of entities like the unmatched words. */
  nearest: string[]
}

/**
 * Sentences an assistant can act on. When nothing was found they tell "nothing there" from "looked in the wrong place":
 * which Safe was searched, how large it is, which words occur nowhere and which names come near (GRAPH §5).
 */
export function hintsOf({ safeName, counts, total, unmatched, nearest }: Outcome): string[] {
  const hints: string[] = []
  if (total === 0) {
    const size = `${number(counts.entities)} entities, ${number(counts.relations)} facts and ${number(counts.passages)} passages`
    hints.push(`Searched the Safe ${quoted(safeName)} (${size}).`)
    if (counts.entities === 0) hints.push('It is empty: its owner can fill it from a file.')
  }
  if (unmatched.length > 0) hints.push(`Nothing in this Safe matches: ${unmatched.join(', ')}.`)
  if (nearest.length > 0) hints.push(`Names that come near: ${nearest.join(', ')}.`)
  if (total === 0 && counts.entities > 0) hints.push('Ask with names or words that occur in the Safe.')
  return hints
}

function number(count: number): string {
  return count.toLocaleString('en')
}
