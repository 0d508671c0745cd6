import type { DocumentKind } from '../../../platform/common/document-kind.js'
import type { Schema } from '../../../platform/storage/schema.js'
import type { NewDocument } from './types.js'

/** A document of a Safe, without its text. */
export interface StoredDocument extends NewDocument {
  importId: number
  kind: DocumentKind
  /** In lists: the time of its change, in milliseconds since 1970. */
  changedAt: number | null
}

/** A document from its row. */
export function documentOf(row: Schema['documents'] & { changed?: number | string }): StoredDocument {
  return {
    importId: Number(row.import_id),
    id: row.id,
    path: row.path,
    title: row.title,
    kind: row.kind as DocumentKind,
    kept: row.kept,
    size: Number(row.size),
    textBytes: Number(row.text_bytes),
    parts: row.parts,
    changedAt: row.changed === undefined ? null : Number(row.changed),
    time: row.time === null ? null : Number(row.time),
    tags: JSON.parse(row.tags_json),
    contentHash: row.content_hash,
  }
}

/** The first text after all those that begin with `prefix`, which ends with a slash. */
export const endOf = (prefix: string) => `${prefix.slice(0, -1)}0`

/** A text that `like … escape '\\'` matches literally. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, char => `\\${char}`)
