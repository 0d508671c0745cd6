/** The first place from `from` on and before `to` that is not before what is wanted, or `to`: a binary search. */
export function firstPlace(from: number, to: number, isBefore: (place: number) => boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}

/** The first place from `from` on where the sorted `items` are not below `value`, or `to`: faster than `firstPlace`. */
export function lowerBound(items: Uint32Array, value: number, from = 0, to = items.length): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((items[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
