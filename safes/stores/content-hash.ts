import { createHash } from 'node:crypto'

/** What `content_hash` of a Safe becomes by a change: it says which rows are visible without a list of imports. */
export const nextHash = (before: string, change: string) =>
  createHash('sha256').update(`${before}\n${change}`).digest('base64url')

/** What it becomes when this import is committed. */
export const hashWithImport = (before: string, importId: number, contentHash: string | null) =>
  nextHash(before, `import ${importId} ${contentHash}`)
