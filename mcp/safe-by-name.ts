import { quoted } from '../domain/safes/ask/one-line.js'

/** Maximum Safes listed in an error by name and id. */
export const MAX_LISTED = 10

interface NamedSafe {
  id: string
  name: string
}

/** The result of a search for a name. */
interface LookUp<Safe extends NamedSafe> {
  /** Safes with this id or, in any case, this name. */
  found: Safe[]
  /** The number of Safes searched. */
  count: number
  /** At most `MAX_LISTED`, the most similar names first. */
  nearest: Safe[]
}

/** Looks for a Safe by its id or name in a list that is read in pages (RULES R9). */
export async function lookUpSafe<Safe extends NamedSafe>(
  idOrName: string,
  pages: AsyncIterable<readonly Safe[]>,
): Promise<LookUp<Safe>> {
  const wanted = idOrName.trim().toLowerCase()
  const found: Safe[] = []
  let near: { safe: Safe; likeness: number }[] = []
  let count = 0
  for await (const page of pages) {
    count += page.length
    found.push(...page.filter(({ id, name }) => [id, name].some(one => one.toLowerCase() === wanted)))
    near = [...near, ...page.map(safe => ({ safe, likeness: likeness(wanted, safe.name) }))]
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, MAX_LISTED)
  }
  return { found, count, nearest: near.map(({ safe }) => safe) }
}

/** Names with their ids, at most `MAX_LISTED`. */
export const listedSafes = (safes: readonly NamedSafe[]): string =>
  safes
    .slice(0, MAX_LISTED)
    .map(({ id, name }) => `${quoted(name)} (${id})`)
    .join(', ')

/** The share of letter pairs that two names have in common, from 0 to 1 (Dice's coefficient). */
function likeness(a: string, b: string): number {
  const [one, other] = [pairsOf(a), pairsOf(b)]
  return (2 * [...one].filter(pair => other.has(pair)).length) / Math.max(1, one.size + other.size)
}

function pairsOf(text: string): Set<string> {
  const plain = ` ${text.toLowerCase().slice(0, 200)} `
  return new Set(Array.from({ length: plain.length - 1 }, (_, at) => plain.slice(at, at + 2)))
}
