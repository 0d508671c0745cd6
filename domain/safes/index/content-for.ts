import { notFound } from '../../../platform/common/domain-error.js'
import type { ContentStore } from '../stores/content.sql.js'
import type { Content } from './content.js'
import type { Indexes } from './indexes.js'

interface Dependencies {
  contents: Pick<ContentStore, 'committedImports'>
  indexes: Indexes
}

/**
 * An older index answers while a newer one is being read, unless the rows it names have been merged and dropped.
 * `accountId`: whose turn it takes to open a large one.
 */
export async function contentFor(
  { contents, indexes }: Dependencies,
  safeId: string,
  version: number,
  accountId?: string,
): Promise<Content> {
  const content = await indexes.get(safeId, version, accountId)
  if (content.committed.version >= version) return content
  const now = await contents.committedImports(safeId)
  if (!now) throw notFound('Safe')
  return content.committed.version < now.readableFrom ? indexes.newest(safeId, version, accountId) : content
}
