import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'

/** A document of an import that is being merged. */
export interface LayerDocument {
  importId: number
  id: number
  path: string
  textBytes: number
}

/** Copies a document into the layer, where it replaces the one with the same id, unless that is the same. */
export async function copyDocument(
  trx: Kysely<Schema>,
  safeId: string,
  layer: number,
  { importId, id }: LayerDocument,
  newId: number,
): Promise<void> {
  const old = sql`safe_id = ${safeId} and import_id = ${layer}`
  const { rows } = await sql`select 1 from documents o join documents n on n.safe_id = o.safe_id
    and n.content_hash = o.content_hash and n.kept = o.kept and n.title = o.title
    where o.safe_id = ${safeId} and o.import_id = ${layer} and o.id = ${newId}
      and n.import_id = ${importId} and n.id = ${id}`.execute(trx)
  if (rows.length > 0) return
  await sql`delete from document_texts where ${old} and document_id = ${newId}`.execute(trx)
  await sql`delete from documents where ${old} and id = ${newId}`.execute(trx)
  // Their lines refer to the text that is replaced.
  await sql`update passages set line = null where ${old} and document_id = ${newId}`.execute(trx)
  const from = sql`where safe_id = ${safeId} and import_id = ${importId}`
  await sql`insert into documents (safe_id, import_id, id, path, name_key, title, kind, kept, size, text_bytes, parts, time, tags_json, content_hash)
    select safe_id, cast(${layer} as bigint), cast(${newId} as integer), path, name_key, title, kind, kept, size, text_bytes, parts, time, tags_json, content_hash
    from documents ${from} and id = ${id}`.execute(trx)
  await sql`insert into document_texts (safe_id, import_id, document_id, part, bytes)
    select safe_id, cast(${layer} as bigint), cast(${newId} as integer), part, bytes
    from document_texts ${from} and document_id = ${id}`.execute(trx)
}
