import type { Import } from '../../../domain/safes/safe.js'
import { showBytes } from '../../../platform/common/format.js'
import { importsTexts } from '../../../views/texts/imports.js'
import { browsePath } from './safe-links.js'

/** The progress of reading a file. */
interface ImportProgress {
  read: number
  total: number | null
  text: string
}

/** Link to the additions of a file in Browse; null if there are none, or it was merged with others. */
export const addedPath = (safePath: string, { status, merged, source }: Import) =>
  status === 'committed' && !merged ? browsePath(safePath, { source }) : null

/** An import without review is also staged while its index is built. It still counts as being read. */
export const withoutReview = (item: Import): Import =>
  item.status === 'staged' && item.comparison === undefined ? { ...item, status: 'staging' } : item

/** "notes.zip: Ready to review". */
export const stateOf = ({ source, status }: Import) => `${source}: ${importsTexts[status]}`

/** Null unless the file is being read. */
export function progressOf({ status, bytesRead, bytesTotal }: Import): ImportProgress | null {
  if (status !== 'staging') return null
  const total = bytesTotal || null
  const { comparing, progress } = importsTexts
  const isRead = total !== null && bytesRead >= total
  const text = isRead ? comparing : progress(showBytes(bytesRead), total === null ? null : showBytes(total))
  return { read: bytesRead, total, text }
}
