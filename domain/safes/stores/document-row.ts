import type { DocumentKind } from '../../../platform/common/document-kind.js'
import type { Schema } from '../../../platform/storage/schema.js'
import { fromRow } from '../../names.js'
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
  const { safe_id, name_key, tags_json, changed, ...same } = row
  return {
    ...fromRow(same),
    kind: row.kind as DocumentKind,
    changedAt: changed === undefined ? null : Number(changed),
    tags: JSON.parse(tags_json),
  }
}

/** The first text after all those that begin with `prefix`, which ends with a slash. */
export const endOf = (prefix: string) => `${prefix.slice(0, -1)}0`

/** A text that `like … escape '\\'` matches literally. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, char => `\\${char}`)
