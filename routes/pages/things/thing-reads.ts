import type { ThingReads } from '../../../domain/activity/thing-readers.js'
import { showNumber } from '../../../platform/common/format.js'
import { thingsTexts } from '../../../views/texts/things.js'
import { pathWith } from '../list.js'

/** The view model of `views/parts/reads.eta`: the readers of a thing, and their numbers of reads. */
interface ReadsView {
  readers: { name: string; href: string; times: string; user: string | null }[]
  others: string | null
  /** The period. Without readers, the whole sentence. */
  when: string
}

/** Null if reads are not recorded. */
export function readsView(
  safePath: string,
  { readers, otherReaders, days, among }: ThingReads,
): ReadsView | null {
  if (days === 0) return null
  const m = thingsTexts.thing
  const when = among === null ? m.lately(days) : m.among(among)
  return {
    readers: readers.map(({ connectionId, name, email, times }) => ({
      name,
      href: pathWith(`${safePath}/activity`, { kind: 'question', connection: connectionId }),
      times: `${showNumber(times)}×`,
      user: email,
    })),
    others: otherReaders > 0 ? m.otherReaders(otherReaders) : null,
    when: readers.length > 0 ? when : m.unread(when),
  }
}
