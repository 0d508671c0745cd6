import type { Schema } from '../../../platform/storage/schema.js'
import type { Import } from '../safe.js'
import type { ImportReport } from './types.js'

type Stored = Schema['imports']
type Row = Pick<Stored, 'safe_id' | 'id' | 'status' | 'source' | 'format' | 'content_hash' | 'report_json'> &
  Pick<Stored, 'created_at' | 'committed_at'> & { email?: string | null }

/** An import as its owner sees it. Imports up to `merged` cannot be undone. */
export function importOf(row: Row, merged: number): Import {
  const report: ImportReport = JSON.parse(row.report_json)
  return {
    safeId: row.safe_id,
    id: row.id,
    status: statusOf(row),
    source: row.source,
    format: row.format,
    ...report,
    by: row.email ?? null,
    createdAt: row.created_at,
    committedAt: row.committed_at,
    merged: row.status === 'committed' && row.id <= merged,
  }
}

/** The hash is set once all bytes have been read; it distinguishes an import in progress from one that waits. */
function statusOf(row: Pick<Stored, 'status' | 'content_hash'>) {
  if (row.status === 'staged' && row.content_hash === null) return 'staging'
  return row.status === 'undone' ? 'failed' : row.status
}
