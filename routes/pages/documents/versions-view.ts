import { documentAddress } from '../../../domain/safes/documents/document-address.js'
import type { Version } from '../../../domain/safes/documents/versions.js'
import type { ReadableSafe } from '../../../domain/safes/safe.js'
import type { difference } from '../../../engine/rendering/index.js'
import { showTime } from '../../../platform/common/format.js'
import type { Page } from '../../../plugins/views.js'
import { documentsTexts } from '../../../views/texts/documents.js'
import { pathWith } from '../list.js'
import { type SafeHead, safeHead } from '../safes/safe-head.js'

export interface VersionsPage extends Page {
  head: SafeHead
  document: { path: string; href: string }
  action: string
  restore: string
  versions: VersionRow[]
  /** The differences between the two compared; empty: they are the same. Null: they differ too much. */
  difference: ReturnType<typeof difference>
  /** The names of the two. */
  compared: string | null
  /** The hash of the current document. */
  hash: string
}

interface VersionRow {
  id: number
  text: string
  isCurrent: boolean
  isOlder: boolean
  isNewer: boolean
  /** Whether an owner can restore it. */
  canBeRestored: boolean
}

/** Two versions, and their differences. */
interface Compared {
  older: number
  newer: number
  differs: VersionsPage['difference']
}

/** The address of the versions of a document. */
export const versionsPath = (safePath: string, path: string) => pathWith(`${safePath}/versions`, { path })

/** The page of the versions of a document. */
export function versionsPage(
  safe: ReadableSafe,
  path: string,
  versions: readonly Version[],
  { older, newer, differs }: Compared,
): Omit<VersionsPage, 'error'> {
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
    compared: older === newer ? null : m.compared(timeOf(older), timeOf(newer)),
    hash: current?.hash ?? '',
  }
}
