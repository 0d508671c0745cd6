import { createHash } from 'node:crypto'

/** The Safe's `content_hash` after a change. It identifies the visible rows without a list of imports. */
export const nextHash = (before: string, change: string) =>
  createHash('sha256').update(`${before}\n${change}`).digest('base64url')

/** The hash after committing this import. */
export const hashWithImport = (before: string, importId: number, contentHash: string | null) =>
  nextHash(before, `import ${importId} ${contentHash}`)
