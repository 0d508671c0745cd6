import type { Box } from './picture.js'

/** Tiles of a treemap, the one for the rest included. */
export const MAX_TILES = 120

export interface Treemap {
  /** One for each of the first weights, in their order. */
  boxes: Box[]
  /** For all other weights together; null: there are none. */
  other: Box | null
}

interface Tile {
  weight: number
  /** Its place among the weights; null: the rest. */
  at: number | null
}

/**
 * Divides a box into boxes with areas in proportion to the weights, as near to squares as they get: a squarified treemap
 * (Bruls, Huizing, van Wijk 2000). Weights are positive, the largest first.
 * @param most more weights than that share one box, with `rest`: what is not in the list
 */
export function treemap(weights: readonly number[], within: Box, most = MAX_TILES, rest = 0): Treemap {
  const isCut = rest > 0 || weights.length > most
  const shown = isCut ? weights.slice(0, Math.max(0, most - 1)) : weights
  const others = weights.slice(shown.length).reduce((sum, weight) => sum + weight, rest)
  const tiles: Tile[] = shown.map((weight, at) => ({ weight, at }))
  if (isCut) tiles.push({ weight: others, at: null })
  tiles.sort((one, other) => other.weight - one.weight)

  const total = tiles.reduce((sum, { weight }) => sum + weight, 0)
  const scale = (within.width * within.height) / total
  const result: Treemap = { boxes: [], other: null }
  let left = within
  for (let from = 0; from < tiles.length; ) {
    const row = rowOf(tiles, from, scale, Math.min(left.width, left.height))
    const [boxes, remains] = placed(row, scale, left)
    for (const [place, { at }] of row.entries()) {
      const box = boxes[place] as Box
      if (at === null) result.other = box
      else result.boxes[at] = box
    }
    left = remains
    from += row.length
  }
  return result
}

/** The tiles from this one on that lie along the shorter side: as many as make the worst of them more square. */
function rowOf(tiles: readonly Tile[], from: number, scale: number, side: number): Tile[] {
  const row: Tile[] = []
  let [sum, worst] = [0, Number.POSITIVE_INFINITY]
  for (const tile of tiles.slice(from)) {
    const next = sum + tile.weight * scale
    const largest = (row[0] ?? tile).weight * scale
    const smallest = tile.weight * scale
    const ratio = Math.max((side * side * largest) / (next * next), (next * next) / (side * side * smallest))
    if (row.length > 0 && ratio > worst) break
    row.push(tile)
    sum = next
    worst = ratio
  }
  return row
}

/** The boxes of a row along the shorter side, and what remains of the box. */
function placed(row: readonly Tile[], scale: number, { x, y, width, height }: Box): [Box[], Box] {
  const area = row.reduce((sum, { weight }) => sum + weight * scale, 0)
  const isColumn = width >= height
  const depth = area / (isColumn ? height : width)
  let along = 0
  const boxes = row.map(({ weight }): Box => {
    const length = (weight * scale) / depth
    const box = isColumn
      ? { x, y: y + along, width: depth, height: length }
      : { x: x + along, y, width: length, height: depth }
    along += length
    return box
  })
  const remains = isColumn
    ? { x: x + depth, y, width: width - depth, height }
    : { x, y: y + depth, width, height: height - depth }
  return [boxes, remains]
}
