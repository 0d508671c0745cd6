import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import type { Version } from '../../../domain/safes/documents/versions.js'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import type { difference } from '../../../engine/rendering/index.js'
import { showTime } from '../../../platform/common/format.js'
import { documentsTexts } from '../../../views/texts/documents.js'
import { pathWith } from '../list.js'
import { safeHead } from '../safes/safe-head.js'

/** Two versions, and their differences. */
interface ComparedVersions {
  older: number
  newer: number
  /** Empty: they are the same. Null: they differ too much. */
  differs: ReturnType<typeof difference>
}

/** The address of the versions of a document. */
export const versionsPath = (safePath: string, path: string) => pathWith(`${safePath}/versions`, { path })

/** The page of the versions of a document. */
export function versionsPage(
  safe: ReadableSafe,
  path: string,
  versions: readonly Version[],
  { older, newer, differs }: ComparedVersions,
) {
  const m = documentsTexts.versions
  const head = safeHead(safe, 'documents', false)
  const current = versions.find(({ isCurrent }) => isCurrent)
  const timeOf = (wanted: number) => showTime(versions.find(({ id }) => id === wanted)?.at ?? 0)
  return {
    here: 'safes',
    head,
    document: { path, href: documentAddress(head.path, path) },
    action: `${head.path}/versions`,
    restore: `${head.path}/versions/restore`,
    versions: versions.map(({ id, kind, source, email, at, isCurrent, hash, canBeRestored }) => ({
      id,
      text: [m.kinds[kind](source), email ?? m.nobody, showTime(at)].join(' · '),
      isCurrent,
      isOlder: id === older,
      isNewer: id === newer,
      canBeRestored: head.isOwn && canBeRestored && hash !== current?.hash,
    })),
    difference: differs,
    compared: older === newer ? null : older === 0 ? m.last : m.compared(timeOf(older), timeOf(newer)),
    hash: current?.hash ?? '',
  }
}
