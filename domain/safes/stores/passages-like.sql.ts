import { type Kysely, sql } from 'kysely'
import type { RowRef } from '../../../engine/graph/index.js'
import type { Schema } from '../../../platform/storage/schema.js'
import { selectWhere } from '../../../platform/storage/where.js'
import { inOrder } from './graph-source.sql.js'
import { LAST_VERSION } from './types.js'

/** The passages, of every layer, whose text in lower case matches `pattern`, one part at a time, so that others get their turn. */
export async function* passagesLike(
  db: Kysely<Schema>,
  safeId: string,
  pattern: string,
): AsyncGenerator<RowRef & { text: string }> {
  const rows = selectWhere(db, 'passages', { safe_id: safeId })
    .select(['import_id as importId', 'id'])
    .select(sql<string | null>`case when lower(text) like ${pattern} then text end`.as('text'))
  for await (const page of inOrder(rows, [[0, LAST_VERSION]], { id: 'id' }))
    for (const { text, ...ref } of page) if (text !== null) yield { ...ref, text }
}
