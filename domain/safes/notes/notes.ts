import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { trimEndOf } from '../../../engine/graph/index.js'
import { DomainError, notFound } from '../../../platform/common/domain-error.js'
import { Part } from '../../part.js'
import type { SafesShared } from '../dependencies.js'
import { readBytes } from '../documents/document-text.js'
import { baseTitle } from '../documents/name-key.js'
import { safeErrors } from '../errors.js'
import { NOTES_FOLDER } from '../folder-location.js'
import { requireOwner, requireReader } from '../membership.js'
import type { StoredDocument } from '../stores/document-row.js'
import { FIRST_VERSION, type KnownFile } from '../stores/types.js'
import type { FoundFile } from '../sync/plan.js'
import type { SyncedFolders } from '../sync/synced-folders.js'
import { notePath } from './note-path.js'

type NotesDependencies = Pick<SafesShared, 'safes' | 'syncedFolders' | 'documents' | 'decisions'> & {
  folders: SyncedFolders
}

/** A note as it was written. */
interface Note {
  path: string
  title: string
  text: string
  /** Identifies this version, to detect changes since. */
  version: string
}

/** A text for the path of a note or a document. */
export interface NewText extends Pick<Note, 'path' | 'text'> {
  /** The document that it replaces; null: none, so it gets a free path. */
  version: string | null
}

/** A note, or an edit of a document, that is missing in a synced folder. */
export interface NoteForFolder {
  path: string
  text: string
  /** SHA-256, base64url, of this text, and of the folder's file at its last run; null: no such file. */
  hash: string
  before: string | null
}

/** A change of a note. Undoing the import `run` reverts it. */
export interface NoteChange {
  path: string
  run: number
}

/** Maximum characters of a note's title and of its text. */
export const NOTE_LIMITS = { title: 200, text: 256 * 1024 }
/** Kinds of documents that can be edited, if the whole text is stored. */
export const EDITABLE: readonly string[] = ['markdown', 'markdown-lines', 'text']
/** Maximum characters of a document that can be edited. */
const MAX_TEXT = 8 * 1024 * 1024
/** Maximum notes with one title. */
const MAX_ALIKE = 1_000
/** Notes per page of the list for a folder. */
const FOR_FOLDER = 20
/** Retries, and the delay between them, while another note is being written. */
const TRIES = 40
const AGAIN_MS = 250

/**
 * Notes written on the pages of a Safe. They are the files of a synced folder (ADR 52) that exists nowhere else:
 * each change is a run, which becomes visible at once, replaces the earlier text, and can be undone (ADR 70).
 */
export class Notes extends Part<NotesDependencies> {
  /** The note at this path. Null if there is none, or the document was not written here. */
  async find(accountId: string, safeId: string, path: string): Promise<Note | null> {
    const { safes, documents, decisions } = this.dependencies
    await requireReader(safes, accountId, safeId)
    const document = await documents.find(safeId, path)
    if (!document || !(await this.isOne(safeId, document))) return null
    const bytes = await readBytes(documents, safeId, document, await decisions.removed(safeId))
    const text = bytes?.toString('utf8') ?? ''
    return { path, title: baseTitle(path), text, version: document.contentHash }
  }

  /**
   * Current texts that were written or accepted here but are missing in a synced folder: edits of its files, and notes in
   * `below` (empty: all). By path, after `after`.
   */
  async forFolder(
    accountId: string,
    safeId: string,
    { folder, below, after = '' }: { folder: string; below: string; after?: string | undefined },
  ): Promise<NoteForFolder[]> {
    await requireReader(this.dependencies.safes, accountId, safeId)
    const theirs = new Map((await this.#all(safeId, folder)).map(file => [file.path, file.contentHash]))
    const own = (await this.#all(safeId))
      .filter(({ path }) => path > after && (theirs.has(path) || path.startsWith(below)))
      .filter(({ path, contentHash }) => theirs.get(path) !== contentHash)
      .sort((a, b) => (a.path < b.path ? -1 : 1))
    const notes: NoteForFolder[] = []
    for (const { path, id } of own) {
      if (notes.length === FOR_FOLDER) break
      const note = await this.find(accountId, safeId, path)
      const document = note && (await this.dependencies.documents.find(safeId, path))
      if (document?.importId !== id) continue
      const before = theirs.get(path) ?? null
      notes.push({ path, text: note?.text ?? '', hash: document.contentHash, before })
    }
    return notes
  }

  /** Whether a document is a note that was written here. Does not check an account. */
  async isOne(safeId: string, { importId }: Pick<StoredDocument, 'importId'>): Promise<boolean> {
    return importId >= FIRST_VERSION && this.dependencies.syncedFolders.isIn(safeId, NOTES_FOLDER, importId)
  }

  /** Writes a new note. @throws DomainError 400 without title or text, 403 for readers */
  async add(ownerId: string, safeId: string, title: string, text: string): Promise<NoteChange> {
    await requireOwner(this.dependencies.safes, ownerId, safeId)
    bytesOf(title, text)
    return this.write(ownerId, safeId, [{ path: notePath(title), text, version: null }])
  }

  /**
   * Replaces a note. With another title, it gets another path.
   * @throws notFound if it is not a note, DomainError 409 if it is no longer that `version`
   */
  async edit(ownerId: string, safeId: string, { path, title, text, version }: Note): Promise<NoteChange> {
    await requireOwner(this.dependencies.safes, ownerId, safeId)
    const bytes = bytesOf(title, text)
    // Before the folder is claimed, so that a refusal writes nothing.
    const before = await this.find(ownerId, safeId, path)
    if (!before) throw notFound('Note')
    if (before.version !== version) throw safeErrors.noteChanged()
    return this.#run(ownerId, safeId, async known => {
      const now = await this.#known(safeId, path, known)
      if (now.contentHash !== version) throw safeErrors.noteChanged()
      const others = known.filter(file => file !== now)
      const isSame = notePath(title) === notePath(baseTitle(path))
      const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0))
      const pathOf = (count: number) => notePath(title, count, folder)
      const to = isSame ? path : await this.#freePath(safeId, pathOf, others)
      return { path: to, files: [...this.#unchanged(safeId, others), this.#file(to, bytes)] }
    })
  }

  /**
   * Writes texts in one run: new notes, and newer versions of notes and of documents from elsewhere. `by`: the author
   * (ADR 53).
   * @throws DomainError 409 if a document is no longer that `version`
   */
  async write(ownerId: string, safeId: string, texts: readonly NewText[], by?: string): Promise<NoteChange> {
    await requireOwner(this.dependencies.safes, ownerId, safeId)
    const write = async (known: readonly KnownFile[]) => {
      const files: FoundFile[] = []
      for (const { path, text, version } of texts) {
        const now = version === null ? null : await this.dependencies.documents.find(safeId, path)
        if (version !== null && now?.contentHash !== version) throw safeErrors.noteChanged()
        const pathOf = (count: number) => (count === 1 ? path : path.replace(/(?=\.md$)/, ` (${count})`))
        const to = version === null ? await this.#freePath(safeId, pathOf, known) : path
        const lineBreaks = now?.kind === 'markdown-lines'
        files.push({ ...this.#file(to, fileOf(text, MAX_TEXT)), lineBreaks })
      }
      const others = known.filter(({ path }) => !files.some(file => file.path === path))
      return { path: files[0]?.path ?? '', files: [...this.#unchanged(safeId, others), ...files] }
    }
    return this.#run(ownerId, safeId, write, by)
  }

  /** Removes a note. @throws notFound if it is not a note */
  async remove(ownerId: string, safeId: string, path: string): Promise<NoteChange> {
    await requireOwner(this.dependencies.safes, ownerId, safeId)
    if (!(await this.find(ownerId, safeId, path))) throw notFound('Note')
    return this.#run(ownerId, safeId, async known => {
      const now = await this.#known(safeId, path, known)
      const others = known.filter(file => file !== now)
      return { path, files: this.#unchanged(safeId, others) }
    })
  }

  /** Applies `change` to the notes in one visible step. A second writer waits. */
  async #run(
    ownerId: string,
    safeId: string,
    change: (known: KnownFile[]) => Promise<{ path: string; files: FoundFile[] }>,
    by?: string,
  ): Promise<NoteChange> {
    let path = ''
    const walk = async () => {
      const changed = await change(await this.#all(safeId))
      path = changed.path
      return { files: changed.files, leftOut: NOTHING_LEFT_OUT }
    }
    for (let tried = 1; ; tried++) {
      try {
        const { item, report } = await this.dependencies.folders.syncOwn(ownerId, safeId, walk, by)
        const problem = report.failed[0]?.badLines[0]?.problem
        if (problem) throw safeErrors.noteUnreadable(problem)
        return { path, run: item?.id ?? 0 }
      } catch (error) {
        const isBusy = error instanceof DomainError && error.code === 'folder_busy'
        if (!isBusy) throw error
        if (tried === TRIES) throw safeErrors.notesBusy()
      }
      await pause(AGAIN_MS)
    }
  }

  async #all(safeId: string, name = NOTES_FOLDER): Promise<KnownFile[]> {
    const folder = await this.dependencies.syncedFolders.find(safeId, name)
    return folder ? this.dependencies.syncedFolders.files(folder) : []
  }

  async #known(safeId: string, path: string, known: readonly KnownFile[]): Promise<KnownFile> {
    const document = await this.dependencies.documents.find(safeId, path)
    const now = known.find(file => file.path === path)
    if (!now || document?.importId !== now.id) throw notFound('Note')
    return now
  }

  /** A path without a document. */
  async #freePath(
    safeId: string,
    pathOf: (count: number) => string,
    known: readonly KnownFile[],
  ): Promise<string> {
    const taken = new Set(known.map(({ path }) => path.toLowerCase()))
    for (let count = 1; count <= MAX_ALIKE; count++) {
      const path = pathOf(count)
      if (taken.has(path.toLowerCase())) continue
      if (!(await this.dependencies.documents.find(safeId, path))) return path
    }
    throw safeErrors.noteTitleTaken()
  }

  #file(path: string, bytes: Buffer): FoundFile {
    const contentHash = createHash('sha256').update(bytes).digest('base64url')
    return { path, size: bytes.length, modifiedAt: 0, contentHash, open: async () => once(bytes) }
  }

  /** Unchanged. Their bytes are needed if their links mean another note now. */
  #unchanged(safeId: string, known: readonly KnownFile[]): FoundFile[] {
    const { documents } = this.dependencies
    return known.map(({ id, path, size, contentHash, kind }) => ({
      path,
      size,
      modifiedAt: 0,
      contentHash,
      lineBreaks: kind === 'markdown-lines',
      open: async () => once(await documents.bytes(safeId, { importId: id, id: 1 } satisfies Layer)),
    }))
  }
}

/** A version of a file has one document. */
type Layer = Pick<StoredDocument, 'importId' | 'id'>

async function* once(bytes: Buffer) {
  yield bytes
}

const NOTHING_LEFT_OUT = { hidden: 0, ignored: 0, tooLarge: 0, links: 0, others: 0 }

function bytesOf(title: string, text: string): Buffer {
  if (title.trim() === '' || title.length > NOTE_LIMITS.title) throw safeErrors.noteTitle(NOTE_LIMITS.title)
  return fileOf(text, NOTE_LIMITS.text)
}

/** With the line endings of files, and one at its end. */
function fileOf(text: string, most: number): Buffer {
  const lines = text.replace(/\r\n?/g, '\n')
  if (lines.trim() === '' || lines.length > most) throw safeErrors.noteText(most)
  return Buffer.from(`${trimEndOf(lines, '\n')}\n`)
}
