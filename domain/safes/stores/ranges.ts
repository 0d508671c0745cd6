import { FIRST_VERSION, type ImportRange } from './types.js'

/** Maximum hidden ids between two ranges that are read and dropped, rather than read separately. */
const SMALL_GAP = 1_000

/** The range without these ids, which are in ascending order. */
export function without([from, to]: ImportRange, ids: readonly number[]): ImportRange[] {
  const ranges: ImportRange[] = []
  let next = from
  for (const id of ids) {
    if (id > next) ranges.push([next, id - 1])
    next = Math.max(next, id + 1)
  }
  if (to >= next) ranges.push([next, to])
  return ranges
}

/** These ids, which are in ascending order, as ranges. */
export function rangesOf(ids: readonly number[]): ImportRange[] {
  const ranges: ImportRange[] = []
  for (const id of ids) {
    const last = ranges.at(-1)
    if (last?.[1] === id - 1) ranges[ranges.length - 1] = [last[0], id]
    else ranges.push([id, id])
  }
  return ranges
}

/**
 * Fewer ranges that contain these: after many changes of a synced folder, visible versions of its files alternate
 * with hidden ones, each of only a few rows.
 */
export function joined(ranges: readonly ImportRange[]): ImportRange[] {
  const result: ImportRange[] = []
  for (const [from, to] of ranges) {
    const last = result.at(-1)
    if (last && last[0] >= FIRST_VERSION && from - last[1] <= SMALL_GAP)
      result[result.length - 1] = [last[0], to]
    else result.push([from, to])
  }
  return result
}

/** Whether an id is in one of these ranges, for ids in ascending order. */
export function isIn(ranges: readonly ImportRange[]): (id: number) => boolean {
  let at = 0
  return id => {
    while ((ranges[at]?.[1] ?? Number.POSITIVE_INFINITY) < id) at++
    return id >= (ranges[at]?.[0] ?? Number.POSITIVE_INFINITY)
  }
}
