import type { RowRef } from '../../engine/graph/index.js'

const PASSAGE_ID = /^p(\d{1,10})\.(\d{1,10})$/

/** The id of a passage in answers and on pages: its import and its number, such as "p3.12". */
export const passageId = ({ importId, id }: RowRef): string => `p${importId}.${id}`

/** The passage with this id; null for any other text. */
export function passageOf(name: string): RowRef | null {
  const [, importId, id] = PASSAGE_ID.exec(name) ?? []
  return importId === undefined ? null : { importId: Number(importId), id: Number(id) }
}
