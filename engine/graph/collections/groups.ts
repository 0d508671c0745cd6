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

/** The values at these places. */
export function reordered(values: Uint32Array, places: Uint32Array): Uint32Array<ArrayBuffer> {
  const result = new Uint32Array(places.length)
  for (let at = 0; at < places.length; at++) result[at] = values[places[at] ?? 0] ?? 0
  return result
}
