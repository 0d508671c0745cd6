import { setImmediate as otherRequests } from 'node:timers/promises'
import type { Clock } from '../../platform/common/clock.js'
import { notFound } from '../../platform/common/domain-error.js'
import { DAY_MS } from '../../platform/common/durations.js'
import { Part } from '../part.js'
import { firstIdAt } from './entry-id.js'
import { hasRead } from './read-items.js'
import type { ActivityStore, Assistant } from './stores/activity.sql.js'

/** Days for which reads are counted, if activity is stored that long, and maximum entries of a Safe that are examined. */
const DAYS = 7
const MAX_SCANNED = 1000
const SCANNED_AT_ONCE = 250
/** Maximum assistants named as readers. */
const MAX_READERS = 5

/** How often assistants read a thing. */
export interface ThingReads {
  /** The most frequent readers first. */
  readers: (Assistant & { times: number })[]
  otherReaders: number
  /** Number of days that were counted … */
  days: number
  /** … or number of latest entries, if there were more. */
  among: number | null
}

interface ThingReadersDependencies {
  store: Pick<ActivityStore, 'role' | 'assistants' | 'reads'>
  clock: Clock
  days: number
}

/** Which assistants read a thing. */
export class ThingReaders extends Part<ThingReadersDependencies> {
  /**
   * The readers of a thing in the last days, by its name, as far as the activity of the Safe shows it. Examines a bounded number of entries,
   * and of each only the stored part of an answer (`readItems`).
   * @throws notFound
   */
  async of(accountId: string, safeId: string, name: string): Promise<ThingReads> {
    const { store, clock } = this.dependencies
    const days = Math.min(DAYS, this.dependencies.days)
    const isVisible = await visibleTo(store, accountId, safeId)
    const counts = new Map<string, number>()
    const from = firstIdAt(clock() - days * DAY_MS)
    let examined = 0
    for (let before: string | undefined; examined < MAX_SCANNED; ) {
      const entries = await store.reads(safeId, { before, from, limit: SCANNED_AT_ONCE })
      for (const entry of entries) {
        if (entry.connectionId === null || !isVisible(entry) || !hasRead(entry.readJson, name)) continue
        counts.set(entry.connectionId, (counts.get(entry.connectionId) ?? 0) + 1)
      }
      examined += entries.length
      if (entries.length < SCANNED_AT_ONCE) break
      before = entries.at(-1)?.id
      await otherRequests()
    }
    const most = [...counts].sort(([, a], [, b]) => b - a)
    const ids = most.slice(0, MAX_READERS).map(([id]) => id)
    const readers = (await store.assistants(ids, accountId))
      .map(assistant => ({ ...assistant, times: counts.get(assistant.connectionId) ?? 0 }))
      .sort((a, b) => b.times - a.times)
    const among = examined < MAX_SCANNED ? null : examined
    return { readers, otherReaders: most.length - readers.length, days, among }
  }
}

/**
 * Which entries of a Safe an account may see: all of them as an owner, its own as a reader.
 * @throws notFound for everybody else (RULES S2)
 */
export async function visibleTo(
  store: Pick<ActivityStore, 'role'>,
  accountId: string,
  safeId: string,
): Promise<(entry: { accountId: string }) => boolean> {
  const role = await store.role(accountId, safeId)
  if (role === null) throw notFound('Safe')
  return role === 'owner' ? () => true : entry => entry.accountId === accountId
}
