import { firstPlace } from '../collections/search.js'
import { lengthOf, type Strings, startOf } from '../collections/strings.js'

/**
 * The numbers of the first `size` strings in the order of their UTF-8 bytes, which is also the order of the
 * databases. Rows come sorted from each import, so that there are a few sorted runs to merge.
 */
export function orderOf(strings: Strings, size: number): Uint32Array<ArrayBuffer> {
  const heads = new Uint32Array(size)
  for (let at = 0; at < size; at++) heads[at] = headOf(strings, at)
  const order = Array.from({ length: size }, (_, at) => at)
  order.sort((a, b) => (heads[a] ?? 0) - (heads[b] ?? 0) || compareStrings(strings, a, b))
  return Uint32Array.from(order)
}

/** The first four bytes as a number: most comparisons need no more. */
function headOf(strings: Strings, number: number): number {
  const start = startOf(strings, number)
  let head = 0
  for (let at = 0; at < 4; at++)
    head = head * 256 + (at < lengthOf(strings, number) ? (strings.bytes[start + at] ?? 0) : 0)
  return head
}

function compareStrings(strings: Strings, a: number, b: number): number {
  const { bytes, ends } = strings
  return bytes.compare(bytes, startOf(strings, b), ends[b] ?? 0, startOf(strings, a), ends[a] ?? 0)
}

/** The first place in `order` whose string is not before these bytes; `after`: the first one behind them. */
export function placeOf(strings: Strings, order: Uint32Array, text: string, after = false): number {
  const wanted = Buffer.from(text)
  const { bytes, ends } = strings
  return firstPlace(0, order.length, place => {
    const number = order[place] ?? 0
    const difference = bytes.compare(wanted, 0, wanted.length, startOf(strings, number), ends[number] ?? 0)
    return difference < 0 || (after && difference === 0)
  })
}
