import type { Kysely } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'
import { selectWhere } from '../../../platform/storage/where.js'
import { NO_DOCUMENTS } from './types.js'
import { isAmong, newestDocuments } from './visible-documents.sql.js'

/** How a document of an import compares with the current one at the same path. */
export type DocumentChange = 'added' | 'changed' | 'unchanged'

/** Documents compared at once. */
const AT_ONCE = 200

/**
 * Compares the documents of an import, without pictures, with the current ones at the same paths, a page at a time.
 * Documents of early releases, stored only as passages, count as changed: the import adds their whole text.
 */
export async function* comparedDocuments(
  db: Kysely<Schema>,
  safeId: string,
  importId: number,
): AsyncGenerator<DocumentChange[]> {
  for (let last = 0; ; ) {
    const documents = await selectWhere(db, 'documents', { safe_id: safeId, import_id: importId })
      .where('id', '>', last)
      .orderBy('id')
      .limit(AT_ONCE)
      .select(['id', 'path', 'kind', 'size', 'content_hash'])
      .execute()
    const paths = documents.map(({ path }) => path)
    const inForce = await newestDocuments(db, safeId)
      .where(isAmong(db, safeId, 'd.path', paths))
      .clearSelect()
      .select(['d.path', 'd.size', 'd.content_hash'])
      .execute()
    const known = new Map(inForce.map(document => [document.path, contentOf(document)]))
    yield documents
      .filter(({ kind }) => !NO_DOCUMENTS.includes(kind))
      .map(document => {
        const content = known.get(document.path)
        if (content === undefined) return 'added'
        return content === contentOf(document) ? 'unchanged' : 'changed'
      })
    const end = documents.at(-1)
    if (!end || documents.length < AT_ONCE) return
    last = end.id
  }
}

/** With the size, because only the beginning of a very long text is stored. */
const contentOf = ({ size, content_hash }: Pick<Schema['documents'], 'size' | 'content_hash'>) =>
  `${size} ${content_hash}`
