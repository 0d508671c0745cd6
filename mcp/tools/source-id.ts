/** The target of an id of `search` and `fetch`: a document or a page of it, a passage without a document, or a thing. */
export type SourceId = { safeId: string } & (
  | { document: string; cursor?: string }
  | { passage: string }
  | { thing: string }
)

const ID = /^([\w-]{1,64})(?:@([\w-]{1,400}))?([/~!])(.{1,2000})$/s

/** The id of an item that can be fetched. It contains only what its reader already knows. */
export function sourceId(source: SourceId): string {
  const { safeId } = source
  if ('document' in source)
    return `${safeId}${source.cursor === undefined ? '' : `@${source.cursor}`}/${source.document}`
  return 'passage' in source ? `${safeId}~${source.passage}` : `${safeId}!${source.thing}`
}

/** Null if it is not one of our ids. */
export function readSourceId(id: string): SourceId | null {
  const [, safeId, cursor, kind, rest] = ID.exec(id) ?? []
  if (safeId === undefined || rest === undefined) return null
  if (kind === '/') return { safeId, document: rest, ...(cursor !== undefined && { cursor }) }
  if (cursor !== undefined) return null
  return kind === '~' ? { safeId, passage: rest } : { safeId, thing: rest }
}
