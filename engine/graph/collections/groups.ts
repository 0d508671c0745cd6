import type { Pause } from './pause.js'

/** Numbers in groups: group `g` is `items[offsets[g]] … items[offsets[g + 1] - 1]`, in order of arrival. */
export interface Groups {
  offsets: Uint32Array
  items: Uint32Array
}

/** Groups the positions of `keys` by key, each below `groupCount` (a counting sort). */
export async function groupByKey(keys: Uint32Array, groupCount: number, pause: Pause): Promise<Groups> {
  const offsets = new Uint32Array(groupCount + 1)
  await inSteps(keys.length, pause, at => {
    const key = (keys[at] ?? 0) + 1
    offsets[key] = (offsets[key] ?? 0) + 1
  })
  for (let group = 0; group < groupCount; group++) {
    offsets[group + 1] = (offsets[group + 1] ?? 0) + (offsets[group] ?? 0)
  }
  const next = offsets.slice()
  const items = new Uint32Array(keys.length)
  await inSteps(keys.length, pause, at => {
    const key = keys[at] ?? 0
    const place = next[key] ?? 0
    items[place] = at
    next[key] = place + 1
  })
  return { offsets, items }
}

/**
 * Groups items by the last of several lists of keys, each below a number; within a group they are sorted by the lists before
 * it, and otherwise in order of arrival (a radix sort).
 */
export async function groupByKeys(
  lists: readonly (readonly [keys: Uint32Array, groupCount: number])[],
  pause: Pause,
): Promise<Groups> {
  let groups: Groups | undefined
  for (const [keys, groupCount] of lists) {
    const before: Uint32Array | undefined = groups?.items
    groups = await groupByKey(before ? reordered(keys, before) : keys, groupCount, pause)
    if (before) groups.items = reordered(before, groups.items)
  }
  return groups ?? { offsets: new Uint32Array(1), items: new Uint32Array() }
}

/** The groups with only the items that are kept, and others behind them: `item(at)` goes to the group `keys[at]`. */
export function withItems(
  before: Groups,
  groupCount: number,
  keys: ArrayLike<number>,
  item: (at: number) => number,
  isKept: (item: number, group: number) => boolean = () => true,
): Groups {
  const { offsets, items } = before
  const sizes = new Uint32Array(groupCount)
  for (let at = 0; at < keys.length; at++) sizes[keys[at] ?? 0] = (sizes[keys[at] ?? 0] ?? 0) + 1
  const result = {
    offsets: new Uint32Array(groupCount + 1),
    items: new Uint32Array(items.length + keys.length),
  }
  const next = new Uint32Array(groupCount)
  let place = 0
  for (let group = 0; group < groupCount; group++) {
    result.offsets[group] = place
    for (let at = offsets[group] ?? 0; at < (offsets[group + 1] ?? 0); at++)
      if (isKept(items[at] ?? 0, group)) result.items[place++] = items[at] ?? 0
    next[group] = place
    place += sizes[group] ?? 0
  }
  result.offsets[groupCount] = place
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? 0
    const to = next[key] ?? 0
    result.items[to] = item(at)
    next[key] = to + 1
  }
  return { offsets: result.offsets, items: result.items.slice(0, place) }
}

/** The items of a group: a view, not a copy. */
export function itemsOf(groups: Groups, group: number): Uint32Array {
  return groups.items.subarray(groups.offsets[group] ?? 0, groups.offsets[group + 1] ?? 0)
}

/** How many items a group has. */
export function sizeOf(groups: Groups, group: number): number {
  return (groups.offsets[group + 1] ?? 0) - (groups.offsets[group] ?? 0)
}

/** Calls `step` for 0 … `count` - 1 and yields to the event loop in between. */
export async function inSteps(count: number, pause: Pause, step: (at: number) => void): Promise<void> {
  for (let at = 0; at < count; at++) {
    step(at)
    if ((at & 0x3ff) === 0 && pause.due()) await pause.rest()
  }
}

/** 0 … `count` - 1. */
export const numbersBelow = (count: number): Uint32Array<ArrayBuffer> =>
  new Uint32Array(count).map((_, number) => number)

/** The values at these places. */
export function reordered(values: Uint32Array, places: Uint32Array): Uint32Array<ArrayBuffer> {
  const result = new Uint32Array(places.length)
  for (let at = 0; at < places.length; at++) result[at] = values[places[at] ?? 0] ?? 0
  return result
}
