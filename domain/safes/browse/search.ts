import { setImmediate as otherRequests, setTimeout as sleep } from 'node:timers/promises'
import { type Browsed, normalizeName } from '../../../engine/graph/index.js'
import { textMatcher } from '../../../platform/common/search.js'
import { distinctNames } from '../ask/distinct-names.js'
import type { SafesShared } from '../dependencies.js'
import type { SafeContent } from '../index/content.js'
import { requireReader } from '../membership.js'
import type { ReadableSafe } from '../safe.js'
import { rowsOf } from '../safe.js'
import type { StoredSafe } from '../stores/safe-row.js'
import type { BrowsedThing } from './browse.js'

type SearchDependencies = Pick<SafesShared, 'safes' | 'indexes' | 'rows'>

/** The results for some letters in all Safes of an account. */
export interface SearchResults<Kind = ReadableSafe> {
  /** Safes with these letters in their names. */
  safes: Kind[]
  /** Safes with things that have a word in their names beginning with these letters. */
  things: FoundThings[]
  /** Number of further Safes with such things. */
  moreSafes: number
  /** Safes whose things were not searched. */
  unsearched: ReadableSafe[]
  /** Whether the account has more Safes than are searched. */
  isCut: boolean
}

export interface FoundThings {
  safe: ReadableSafe
  /** The likeliest first. */
  things: BrowsedThing[]
  hasMore: boolean
}

/** A Safe whose index was searched. */
interface Searched {
  safe: ReadableSafe
  content: SafeContent
  browsed: Browsed<'names'>
}

/** Maximum Safes of an account that are searched. */
const MAX_SAFES = 1_000
/** Maximum size of all indexes searched: about five Safes of a million facts, which take 14 ms each. */
const MAX_BYTES = 256 * 1024 * 1024
/** Maximum rows of Safes that are opened for one search, and maximum wait for them. */
const OPENED_ROWS = 5_000
const OPENING_MS = 50
/** Indexes searched before other requests get their turn. */
const SEARCHED_AT_ONCE = 10

/**
 * Searches all Safes that the account may read, in bounded time (ADR 49): their indexes in memory, and the smallest of the
 * others, as far as they can be opened in the meantime. Returns at most `limit` things of each of `groups` Safes, those
 * first that have a thing with exactly this name.
 */
export async function search(
  dependencies: SearchDependencies,
  accountId: string,
  text: string,
  { groups, limit }: { groups: number; limit: number },
): Promise<SearchResults<StoredSafe>> {
  const { safes } = dependencies
  const all = await safes.readableBy(accountId, { limit: MAX_SAFES + 1 })
  const readable = all.slice(0, MAX_SAFES)
  const matches = textMatcher(text)
  const searched = await searchIndexes(dependencies, accountId, readable, text, limit + 1)
  const key = normalizeName(text)
  const isExact = ({ browsed }: Searched) => Number(browsed.found.some(row => row.key === key))
  const found = readable
    .flatMap(safe => searched.get(safe) ?? [])
    .filter(({ browsed }) => browsed.found.length > 0)
    .sort((a, b) => isExact(b) - isExact(a))
  return {
    safes: readable.filter(({ name }) => matches(name)),
    things: await named(dependencies, accountId, found.slice(0, groups), limit),
    moreSafes: Math.max(0, found.length - groups),
    unsearched: readable.filter(safe => !searched.has(safe) && safe.counts.entities > 0),
    isCut: all.length > MAX_SAFES,
  }
}

/** Small Safes first, so that large ones do not use up the limit for all. */
async function searchIndexes(
  dependencies: SearchDependencies,
  accountId: string,
  readable: readonly ReadableSafe[],
  text: string,
  limit: number,
): Promise<Map<ReadableSafe, Searched>> {
  const searched = new Map<ReadableSafe, Searched>()
  const late = sleep(OPENING_MS, 'late' as const, { ref: false })
  let [bytes, rows, isInTime] = [MAX_BYTES, OPENED_ROWS, true]
  for (const safe of readable.toSorted((a, b) => rowsOf(a.counts) - rowsOf(b.counts))) {
    if (safe.counts.entities === 0) continue
    let content = dependencies.indexes.inMemory(safe.id, safe.version)
    if (!content && isInTime && rowsOf(safe.counts) <= rows) {
      rows -= rowsOf(safe.counts)
      const opened = await Promise.race([open(dependencies, accountId, safe.id), late])
      isInTime = opened !== 'late'
      content = opened === 'late' ? null : opened
    }
    if (!content || content.bytes > bytes) continue
    bytes -= content.bytes
    searched.set(safe, { safe, content, browsed: await content.browse({ kind: 'names', text, limit }) })
    if (searched.size % SEARCHED_AT_ONCE === 0) await otherRequests()
  }
  return searched
}

/** Null if it cannot be read, or only in another thread: it then counts as not searched. */
async function open(
  { safes, indexes }: SearchDependencies,
  accountId: string,
  safeId: string,
): Promise<SafeContent | null> {
  try {
    const { version } = await requireReader(safes, accountId, safeId)
    const content = await indexes.get(safeId, version, accountId)
    return content.bytes > 0 ? content : null
  } catch {
    return null
  }
}

/** Reads the names of the results. A membership may have ended while other Safes were opened. */
async function named(
  { safes, rows }: SearchDependencies,
  accountId: string,
  shown: readonly Searched[],
  limit: number,
): Promise<FoundThings[]> {
  const readable = await safes.readableAmong(
    accountId,
    shown.map(({ safe }) => safe.id),
  )
  const isReadable = new Set(readable.map(({ id }) => id))
  return Promise.all(
    shown
      .filter(({ safe }) => isReadable.has(safe.id))
      .map(async ({ safe, content, browsed: { found, naming } }) => {
        const reader = rows.of(safe.id, Math.max(safe.version, content.committed.version))
        const names = distinctNames(await reader.names(naming))
        const things = found.slice(0, limit).map(row => ({ ...row, name: names.get(row.key) ?? row.key }))
        return { safe, things, hasMore: found.length > limit }
      }),
  )
}
