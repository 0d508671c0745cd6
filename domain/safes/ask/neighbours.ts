import type { RowRef } from '../../../engine/graph/index.js'
import type { StoredPassage } from '../stores/types.js'

/** The passages before and after a passage in its sequence (GRAPH §3.6). */
interface Neighbours {
  before?: string
  after?: string
}

/**
 * These rows and their possible neighbours. Formats write a sequence row by row, so the next passage has the
 * next id and no index is needed.
 */
export function withBeside(refs: readonly RowRef[]): RowRef[] {
  const rows = new Map<string, RowRef>()
  for (const { importId, id } of refs) {
    for (const beside of [id, id - 1, id + 1]) {
      if (beside > 0) rows.set(`${importId} ${beside}`, { importId, id: beside })
    }
  }
  return [...rows.values()]
}

/**
 * The neighbours of passages by `keyOf`, for the best passages first. Each is used once, and none that is in
 * the answer itself.
 */
export function neighboursOf(
  passages: readonly StoredPassage[],
  rows: readonly StoredPassage[],
  keyOf: (row: RowRef) => string,
): Map<string, Neighbours> {
  const rowOf = new Map(rows.map(row => [keyOf(row), row]))
  const shown = new Set(passages.map(keyOf))
  const textOnce = (row: StoredPassage | undefined) => {
    if (!row || shown.has(keyOf(row))) return null
    shown.add(keyOf(row))
    return row.text
  }
  return new Map(
    passages.map(passage => {
      const { importId, id, seq } = passage
      if (seq === null) return [keyOf(passage), {}]
      const beside = [-1, 1].map(step => rowOf.get(keyOf({ importId, id: id + step })))
      const at = (step: number) => textOnce(beside.find(row => row && follows(passage, row, step)))
      const [before, after] = [at(-1), at(1)]
      return [keyOf(passage), { ...(before && { before }), ...(after && { after }) }]
    }),
  )
}

/** Whether a row is `step` places further in the same sequence, rather than in another one that begins there. */
function follows(passage: StoredPassage, row: StoredPassage, step: number): boolean {
  return (
    passage.seq !== null &&
    row.seq === passage.seq + step &&
    row.entityKey === passage.entityKey &&
    row.document === passage.document &&
    row.source === passage.source
  )
}
