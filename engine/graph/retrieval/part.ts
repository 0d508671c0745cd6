import { itemsOf } from '../collections/groups.js'
import { firstPlace } from '../collections/search.js'
import { placeOfRow, type RowTable, type SafeIndex } from '../index/safe-index.js'

/** Rows of one import by their ids, both ends included. */
export interface RowRange {
  importId: number
  from: number
  to: number
}

/** The passages that a question is limited to (GRAPH §1). */
export interface PassageSet {
  /** Passage → 1: it is in the part. */
  passages: Uint8Array
  count: number
}

/** The passages that one row of each list states. The cost grows with the ranges and with what they contain. */
export function partOf(index: SafeIndex, lists: readonly (readonly RowRange[])[]): PassageSet {
  const all = lists.map(ranges => statedBy(index, ranges))
  const passages = new Uint8Array(index.passages.count).map((_, at) => Number(all.every(isIn => isIn[at])))
  return { passages, count: passages.reduce((sum, one) => sum + one, 0) }
}

function statedBy({ passages: { rows, count } }: SafeIndex, ranges: readonly RowRange[]): Uint8Array {
  const isIn = new Uint8Array(count)
  const layerOf = new Map(Array.from(rows.imports, (importId, layer) => [importId, layer]))
  const places = ranges.flatMap(({ importId, from, to }) => {
    const layer = layerOf.get(importId)
    return layer === undefined ? [] : [{ layer, from, to }]
  })
  for (const { layer, from, to } of places) {
    isIn.fill(1, placeOfRow(rows, layer, from), placeOfRow(rows, layer, to + 1))
  }
  addRepeated(isIn, rows, places)
  return isIn
}

interface LayerRange {
  layer: number
  from: number
  to: number
}

/** Passages that another row of the part repeats. */
function addRepeated(
  isIn: Uint8Array,
  { more, moreLayer, moreId }: RowTable,
  places: readonly LayerRange[],
): void {
  if (more.length === 0) return
  const sorted = places.toSorted((a, b) => a.layer - b.layer || a.from - b.from)
  for (let at = 0; at < more.length; at++) {
    const [layer, id] = [moreLayer[at] ?? 0, moreId[at] ?? 0]
    const isBefore = (place: LayerRange | undefined) =>
      place !== undefined && (place.layer < layer || (place.layer === layer && place.to < id))
    const place = sorted[firstPlace(0, sorted.length, middle => isBefore(sorted[middle]))]
    if (place?.layer === layer && place.from <= id) isIn[more[at] ?? 0] = 1
  }
}

/** Passages about one thing that are looked at to find the imports of those in the part. */
const MAX_ABOUT = 5_000

/**
 * Tests whether a fact is in the part. Facts have no place in a document: one belongs to those that are about its subject
 * and came with the same import.
 */
export function factInPart({ facts, passages }: SafeIndex, part: PassageSet): (fact: number) => boolean {
  let subject = -1
  let imports = new Set<number>()
  const importsOf = (entity: number) => {
    const found = new Set<number>()
    for (const passage of itemsOf(passages.about, entity).subarray(0, MAX_ABOUT))
      if (part.passages[passage] === 1)
        found.add(passages.rows.imports[passages.rows.layer[passage] ?? 0] ?? 0)
    return found
  }
  return fact => {
    const of = facts.subject[fact] ?? 0
    // Facts come in the order of their subjects.
    if (of !== subject) [subject, imports] = [of, importsOf(of)]
    return imports.has(facts.rows.imports[facts.rows.layer[fact] ?? 0] ?? 0)
  }
}
