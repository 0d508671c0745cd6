import { nameKey } from './name-key.js'

/** The names links may use for a document. */
interface Address {
  path: string
  address: string
}

/**
 * The path of the document that a link in `from` refers to by an address. Its folders must match, as far as both have any: the
 * candidate with the most matching folders, then the one nearest to `from`.
 */
export function addressed(from: string, target: string, known: readonly Address[]): string | undefined {
  const wanted = partsOf(target.startsWith('/') || !target.includes('/') ? target : inFolder(from, target))
  let best: { path: string; rank: readonly number[] } | undefined
  for (const { path, address } of known) {
    const below = partsOf(inFolder(path, address))
    // The root is that of the website, or of the part of it that contains the folder.
    const same = Math.max(
      sameAtEnd(below, wanted),
      address.startsWith('/') ? sameAtEnd(partsOf(address), wanted) : 0,
    )
    if (same < Math.max(1, Math.min(2, below.length, wanted.length))) continue
    const rank = [same, sameAtBegin(partsOf(path), partsOf(from)), -path.length]
    if (!best || isBefore(best.rank, rank)) best = { path, rank }
  }
  return best?.path
}

const inFolder = (path: string, target: string) => `${path.slice(0, path.lastIndexOf('/') + 1)}${target}`

/** The names in a path, as keys; `..` removes the previous one. Without the prefixes that order the files of a folder. */
function partsOf(path: string): string[] {
  const parts: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') parts.pop()
    else if (name !== '' && name !== '.')
      parts.push(nameKey(name).replace(/^(?:\d{1,3}[._-](?=\p{L})|_)/u, ''))
  }
  return parts
}

function sameAtEnd(one: readonly string[], other: readonly string[]): number {
  let count = 0
  while (count < one.length && count < other.length && one.at(-1 - count) === other.at(-1 - count)) count++
  return count
}

function sameAtBegin(one: readonly string[], other: readonly string[]): number {
  let count = 0
  while (count < one.length && count < other.length && one[count] === other[count]) count++
  return count
}

const isBefore = (one: readonly number[], other: readonly number[]) => {
  const at = one.findIndex((value, index) => value !== other[index])
  return at !== -1 && (one[at] ?? 0) < (other[at] ?? 0)
}
