import type { DocumentRead, ReadItem } from './entry.js'

/** Limits of the part of an answer that an entry stores. The pages show when an answer had more. */
const MAX_ITEMS = 50
const MAX_CHARACTERS = 4000

/**
 * The first facts and passages of an answer as JSON, without the texts of passages. Null if there are none, or if
 * the first is too long to store.
 */
export function readItems(items: readonly ReadItem[]): string | null {
  const kept: ReadItem[] = []
  let characters = 0
  for (const item of items) {
    for (const part of item) characters += `${part}`.length
    if (kept.length === MAX_ITEMS || characters > MAX_CHARACTERS) break
    kept.push(item)
  }
  return kept.length === 0 ? null : JSON.stringify(kept)
}

/** Maximum length of a path. A longer one is not counted, because it would not fit into an index. */
const MAX_PATH_BYTES = 2000

/** The documents and passages that were read. */
export function documentsIn(items: readonly ReadItem[]): DocumentRead[] {
  const parts = new Map<string, string>()
  for (const item of items) {
    if (item.length !== 5) continue
    const [, path, importId, first, last] = item
    const part = `${importId}.${first}-${last}`
    const before = parts.get(path)
    parts.set(path, before === undefined ? part : `${before},${part}`)
  }
  return [...parts]
    .filter(([path]) => Buffer.byteLength(path) <= MAX_PATH_BYTES)
    .map(([path, parts]) => ({ path, parts }))
}

/**
 * Whether an item with this name was read, as `readItems` wrote it: a thing of a fact, or a passage's title. Searches
 * the text, because parsing a thousand entries would take 50 ms: quotes within names are escaped, so a match is always
 * the beginning or end of an item.
 */
export function hasRead(json: string | null, name: string): boolean {
  if (json === null) return false
  const quoted = JSON.stringify(name)
  return json.includes(`[${quoted}`) || json.includes(`,${quoted}]`)
}
