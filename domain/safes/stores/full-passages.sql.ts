import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import { selectWhere } from '../../../platform/storage/where.js'
import type { FullPassage, ImportRange } from './types.js'

/** Passages read at once; one text may have 100,000 characters. */
const PAGE = 100

/** All passages of these imports, in pages that fit in memory however long the texts are. */
export async function* fullPassages(
  db: Kysely<Schema>,
  safeId: string,
  [from, to]: ImportRange,
): AsyncGenerator<FullPassage[]> {
  for (let last: FullPassage | undefined; ; ) {
    const after: [number, number] = [last?.importId ?? from, last?.id ?? 0]
    const page: FullPassage[] = await selectWhere(db, 'passages', { safe_id: safeId })
      .where(sql<SqlBool>`(import_id, id) > (${after[0]}, ${after[1]}) and import_id <= ${to}`)
      .orderBy('import_id')
      .orderBy('id')
      .limit(PAGE)
      .select(['import_id as importId', 'id', 'entity_key as entityKey'])
      .select(['title', 'text', 'source', 'seq', 'time', 'origin', 'document_id as documentId', 'line'])
      .execute()
    if (page.length > 0) yield page
    if (page.length < PAGE) return
    last = page.at(-1)
  }
}
