import type { Box } from './picture.js'

/**
 * Divides a box into boxes with areas in proportion to the weights, as near to squares as they get: a squarified treemap
 * (Bruls, Huizing, van Wijk 2000). Weights are positive, the largest first; the boxes are in their order.
 */
export function treemap(weights: readonly number[], within: Box): Box[] {
  const scale = (within.width * within.height) / weights.reduce((sum, weight) => sum + weight, 0)
  const boxes: Box[] = []
  let left = within
  while (boxes.length < weights.length) {
    const row = rowOf(weights.slice(boxes.length), scale, Math.min(left.width, left.height))
    const [placed, remains] = place(row, scale, left)
    boxes.push(...placed)
    left = remains
  }
  return boxes
}

/** The first weights, along the shorter side: as many as make the worst of their boxes more square. */
function rowOf(weights: readonly number[], scale: number, side: number): number[] {
  const row: number[] = []
  let [sum, worst] = [0, Number.POSITIVE_INFINITY]
  for (const weight of weights) {
    const next = sum + weight * scale
    const largest = (row[0] ?? weight) * scale
    const smallest = weight * scale
    const ratio = Math.max((side * side * largest) / (next * next), (next * next) / (side * side * smallest))
    if (row.length > 0 && ratio > worst) break
    row.push(weight)
    sum = next
    worst = ratio
  }
  return row
}

/** The boxes of a row along the shorter side, and what remains of the box. */
function place(row: readonly number[], scale: number, { x, y, width, height }: Box): [Box[], Box] {
  const area = row.reduce((sum, weight) => sum + weight * scale, 0)
  const isColumn = width >= height
  const depth = area / (isColumn ? height : width)
  let along = 0
  const boxes = row.map((weight): Box => {
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
