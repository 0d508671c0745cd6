import { setImmediate as otherRequests } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { RowRef } from '../../../engine/graph/index.js'
import { rowsAfter } from '../../../platform/storage/keyset.js'
import type { Schema } from '../../../platform/storage/schema.js'

/** Passages that are compared at once: a few milliseconds. */
const PAGE = 1_000

/** The passages, of every layer, whose text in lower case is like `pattern`, a part at a time, so that others have their turn. */
export async function* passagesLike(
  db: Kysely<Schema>,
  safeId: string,
  pattern: string,
): AsyncGenerator<RowRef & { text: string }> {
  for (let last: RowRef = { importId: 0, id: 0 }; ; await otherRequests()) {
    const rows = await db
      .selectFrom('passages')
      .where('safe_id', '=', safeId)
      .where(rowsAfter(['import_id', 'id'], [last.importId, last.id]))
      .select(['import_id as importId', 'id'])
      .select(sql<string | null>`case when lower(text) like ${pattern} then text end`.as('text'))
      .orderBy('import_id')
      .orderBy('id')
      .limit(PAGE)
      .execute()
    for (const { importId, id, text } of rows)
      if (text !== null) yield { importId: Number(importId), id, text }
    const end = rows.at(-1)
    if (!end || rows.length < PAGE) return
    last = end
  }
}
