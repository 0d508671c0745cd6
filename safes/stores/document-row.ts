import type { Schema } from '../../storage/schema.js'
import type { DocumentKind } from './types.js'

/** A document of a Safe, without its text. */
export interface StoredDocument {
  importId: number
  id: number
  path: string
  title: string
  kind: DocumentKind
  kept: 'whole' | 'beginning' | 'passages'
  /** Bytes of the file; 0: unknown. */
  size: number
  textBytes: number
  parts: number
  /** Milliseconds since 1970; null: it says none. */
  time: number | null
  tags: string[]
  /** SHA-256 of its text, base64url; empty if only its passages are kept. */
  contentHash: string
}

/** A document from its row. */
export function documentOf(row: Schema['documents']): StoredDocument {
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
    time: row.time === null ? null : Number(row.time),
    tags: JSON.parse(row.tags_json),
    contentHash: row.content_hash,
  }
}

/** The first text after all that begin with `prefix`, which ends with a slash. */
export const endOf = (prefix: string) => `${prefix.slice(0, -1)}0`

/** A text that `like … escape '\\'` finds as it is. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, char => `\\${char}`)
