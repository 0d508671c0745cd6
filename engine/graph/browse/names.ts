import { itemsOf } from '../collections/groups.js'
import { lowerBound } from '../collections/search.js'
import { lengthOf, placeOf, startOf } from '../collections/strings.js'
import { meaningsOf } from '../index/dictionary.js'
import { factCount, type SafeIndex } from '../index/safe-index.js'
import { normalizeName, words } from '../text/text.js'

/** Entities with a name or an alias that has these letters at the beginning of a word. */
interface NamesFound {
  entities: number[]
  /** Whether there may be more than these. */
  isCut: boolean
}

/** Names with the letters that are looked at, and bytes of names that are searched. */
const MAX = 2_000
const MAX_BYTES = 32_000_000

/** At most 2,000 entities, those first whose whole name it is, then those whose key begins with it. */
export function findNames(index: SafeIndex, text: string): NamesFound {
  const found = new Set(calledExactly(index, text))
  const phrase = words(text).join(' ')
  const key = normalizeName(text)
  const keysCut = key === '' ? false : addKeys(index, key, found)
  const phrasesCut = phrase === '' ? false : addPhrases(index, phrase, found)
  // Phrases of passages are no things of their own.
  const entities = [...found].filter(entity => index.isNamed[entity] === 1)
  return { entities: entities.slice(0, MAX), isCut: keysCut || phrasesCut || entities.length > MAX }
}

/** Entities with exactly this name or alias. */
export const calledExactly = ({ dictionary }: SafeIndex, text: string): number[] =>
  meaningsOf(dictionary, words(text).join(' ')).flatMap(({ entity, whole }) => (whole ? [entity] : []))

/** The best `limit` of the names found: exact ones first, then the best connected. */
export function suggest(index: SafeIndex, text: string, limit: number): number[] {
  const { entities } = findNames(index, text)
  const exact = new Set(calledExactly(index, text))
  return entities
    .map((entity, at) => ({ entity, at, exact: Number(exact.has(entity)), facts: factCount(index, entity) }))
    .sort((a, b) => b.exact - a.exact || b.facts - a.facts || a.at - b.at)
    .slice(0, limit)
    .map(({ entity }) => entity)
}

function addKeys({ entities, byKey }: SafeIndex, key: string, found: Set<number>): boolean {
  const start = placeOf(entities, byKey, key)
  const wanted = Buffer.from(key)
  for (let at = start; at < byKey.length; at++) {
    const entity = byKey[at] ?? 0
    const from = startOf(entities, entity)
    if (!entities.bytes.subarray(from, from + wanted.length).equals(wanted)) return false
    if (at - start >= MAX) return true
    if (lengthOf(entities, entity) >= wanted.length) found.add(entity)
  }
  return false
}

/** Reads the names as one text: far faster than one by one. */
function addPhrases({ dictionary }: SafeIndex, phrase: string, found: Set<number>): boolean {
  const { phrases, meanings } = dictionary
  const searched = phrases.bytes.subarray(0, MAX_BYTES)
  let left = MAX
  for (let at = searched.indexOf(phrase); at >= 0; at = searched.indexOf(phrase, at)) {
    if (left-- === 0) return true
    const number = lowerBound(phrases.ends, at + 1)
    const [start, end] = [startOf(phrases, number), phrases.ends[number] ?? 0]
    const isWord = at === start || searched[at - 1] === 0x20
    const isInside = at + Buffer.byteLength(phrase) <= end
    if (isWord && isInside) {
      for (const meaning of itemsOf(meanings, number).subarray(0, MAX)) found.add(meaning >>> 1)
      at = end
    } else at++
  }
  return phrases.bytes.length > MAX_BYTES
}
