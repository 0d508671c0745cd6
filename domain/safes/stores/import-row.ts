import type { Schema } from '../../../platform/storage/schema.js'
import type { Import } from '../safe.js'
import type { ImportReport } from './types.js'

/** An import as its owner sees it. Imports up to `merged` cannot be undone. */
export function importOf(
  row: {
    safe_id: string
    id: number
    status: Schema['imports']['status']
    source: string
    format: string
    content_hash: string | null
    report_json: string
    created_at: number
    committed_at: number | null
  },
  merged: number,
): Import {
  const report: ImportReport = JSON.parse(row.report_json)
  return {
    safeId: row.safe_id,
    id: row.id,
    status: statusOf(row),
    source: row.source,
    format: row.format,
    ...report,
    createdAt: row.created_at,
    committedAt: row.committed_at,
    merged: row.status === 'committed' && row.id <= merged,
  }
}

/** The hash is set once all bytes have been read; it distinguishes an import in progress from one that waits. */
function statusOf(row: { status: Schema['imports']['status']; content_hash: string | null }) {
  if (row.status === 'staged' && row.content_hash === null) return 'staging'
  return row.status === 'undone' ? 'failed' : row.status
}
