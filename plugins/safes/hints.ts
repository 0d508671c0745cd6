import type { Ranking } from '../../graph/query.js'
import type { SafeIndex } from '../../graph/safe-index.js'

interface Asked {
  safe: { name: string }
  index: SafeIndex
  ranking: Ranking
  /** Names of the entities that come near. */
  nearest: string[]
}

/**
 * Sentences an assistant can act on. "Nothing found" names the Safe and its size, so that it can be told from
 * "looked in the wrong place" (GRAPH §5).
 */
export function hintsFor({ safe, index, ranking, nearest }: Asked): string[] {
  const hints: string[] = []
  const size = [
    amount(index.entities.size, 'entity', 'entities'),
    amount(index.facts.count, 'fact', 'facts'),
    amount(index.passages.count, 'passage', 'passages'),
  ]
  if (index.entities.size === 0) {
    return [`The Safe “${safe.name}” is empty: nothing has been imported into it yet.`]
  }
  if (ranking.total === 0)
    hints.push(`Nothing found in the Safe “${safe.name}”, which holds ${listed(size)}.`)
  if (ranking.unmatched.length > 0) {
    hints.push(`Found nowhere in this Safe: ${ranking.unmatched.map(word => `“${word}”`).join(', ')}.`)
  }
  if (nearest.length > 0) hints.push(`Names that come near: ${[...new Set(nearest)].join(', ')}.`)
  return hints
}

const amount = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

const listed = (parts: string[]) => `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
