import { notFound } from '../../../platform/common/domain-error.js'
import { Part } from '../../part.js'
import type { SafesShared } from '../dependencies.js'
import { safeErrors } from '../errors.js'
import { NOTES_FOLDER } from '../folder-location.js'
import { requireOwner, requireReader } from '../membership.js'
import { EDITABLE, type NoteChange, type Notes } from '../notes/notes.js'
import { readText } from './document-text.js'

/** Maximum versions listed. */
const MAX_VERSIONS = 50

/** A version of a document. */
export interface Version {
  /** The import or the version of a file that added it. */
  id: number
  kind: 'import' | 'sync' | 'edit' | 'proposal'
  /** The file, the folder, or who proposed it. */
  source: string
  /** The account of the import or run; null: it no longer exists. */
  email: string | null
  at: number
  /** Identifies this version of the document. */
  hash: string
  /** It is the current version. */
  isCurrent: boolean
  canBeRestored: boolean
}

type VersionsDependencies = Pick<SafesShared, 'safes' | 'documents' | 'decisions'> & {
  notes: Notes
}

/** Earlier versions of a document: from imports, runs, edits and accepted proposals, as long as they are stored. */
export class Versions extends Part<VersionsDependencies> {
  /** The newest first, at most 50. @throws notFound if there is no such document */
  async list(accountId: string, safeId: string, path: string): Promise<Version[]> {
    const current = await this.dependencies.documents.find(safeId, path)
    return (await this.#rows(accountId, safeId, path)).map(({ document, source, email, at, report }) => {
      const { by } = report.sync ?? {}
      const own = by === undefined ? ('edit' as const) : ('proposal' as const)
      return {
        id: document.importId,
        kind: source === NOTES_FOLDER ? own : report.sync ? 'sync' : 'import',
        source: by ?? source,
        email,
        at,
        hash: document.contentHash,
        isCurrent: document.importId === current?.importId && document.id === current.id,
        canBeRestored: document.kept === 'whole' && EDITABLE.includes(document.kind),
      }
    })
  }

  /** The text of a version, without removed parts. @throws notFound */
  async text(accountId: string, safeId: string, path: string, id: number): Promise<string> {
    const { documents, decisions } = this.dependencies
    const row = (await this.#rows(accountId, safeId, path)).find(({ document }) => document.importId === id)
    if (!row) throw notFound('Version')
    return (await readText(documents, safeId, row.document, await decisions.removed(safeId))).text
  }

  /**
   * Makes the text of a version the current text of the document, as a new version. `hash` identifies the version that
   * the owner saw as the newest; empty: the document was removed.
   * @throws notFound, DomainError 409 if the document has changed since
   */
  async restore(
    ownerId: string,
    safeId: string,
    path: string,
    { id, hash }: { id: number; hash: string },
  ): Promise<NoteChange> {
    await requireOwner(this.dependencies.safes, ownerId, safeId)
    const version = (await this.list(ownerId, safeId, path)).find(each => each.id === id)
    if (!version?.canBeRestored) throw notFound('Version')
    if (hash === version.hash) throw safeErrors.sameVersion()
    const text = await this.text(ownerId, safeId, path, id)
    return this.dependencies.notes.write(ownerId, safeId, [{ path, text, version: hash || null }])
  }

  async #rows(accountId: string, safeId: string, path: string) {
    const { safes, documents } = this.dependencies
    await requireReader(safes, accountId, safeId)
    const rows = await documents.versions(safeId, path, MAX_VERSIONS)
    if (rows.length === 0) throw notFound('Document')
    return rows
  }
}
