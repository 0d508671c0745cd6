import { editedText, type TextEdit } from '../../engine/formats/index.js'
import { DomainError } from '../../platform/common/domain-error.js'
import { printable } from '../../platform/common/visible-text.js'
import { notePath } from '../safes/notes/note-path.js'
import { EDITABLE, type NewText } from '../safes/notes/notes.js'
import type { Safes } from '../safes/safes.js'
import { proposalErrors } from './errors.js'
import { type AcceptedText, LIMITS, type ProposedText } from './proposal.js'

/** A note and edits in the form that an assistant sends. */
export interface WantedTexts {
  newNote?: { title: string; text: string; folder?: string } | undefined
  edits?:
    | readonly { document: string; change: Exclude<TextEdit['change'], 'note'>; at?: string; text: string }[]
    | undefined
}

/** The result of a text in the current document. */
export interface Preview extends ProposedText {
  before: string
  after: string
  /** The reason why it cannot be applied, or null. */
  problem: string | null
  /** Whether the document has changed since the edit was proposed. */
  isNewer: boolean
}

type Readable = Pick<Safes, 'documents' | 'reading'>

/** A part of a path that hides the files below it, or is not valid in a Safe. */
const OUTSIDE = /^$|^[.~]|^[a-z]:$|[\\\p{Cc}]/iu

/** The proposed texts. All can be applied. @throws DomainError 400 that explains what to do instead */
export async function proposedTexts(
  safes: Readable,
  accountId: string,
  safeId: string,
  { newNote, edits = [] }: WantedTexts,
): Promise<ProposedText[]> {
  const texts: ProposedText[] = newNote ? [noteOf(newNote)] : []
  for (const { document: name, change, at = '', text } of edits) {
    const { path } = await safes.reading.find(accountId, safeId, name)
    const edit = { change, path, at: at.replace(/\r\n?/g, '\n'), text: printable(text) }
    if (text.trim() === '' && change !== 'replace') throw proposalErrors.emptyText()
    const { version, text: before } = await textOf(safes, accountId, safeId, { path, version: '' })
    editedText(before, edit)
    texts.push({ ...edit, version })
  }
  const bytes = texts.reduce((sum, { text, at }) => sum + Buffer.byteLength(text) + Buffer.byteLength(at), 0)
  if (bytes > LIMITS.textBytes) throw proposalErrors.textTooLong()
  return texts
}

function noteOf({ title, text, folder }: NonNullable<WantedTexts['newNote']>): ProposedText {
  const names = folder?.replace(/\/$/, '').split('/')
  if (names?.some(name => OUTSIDE.test(name.trim()))) throw proposalErrors.folder(folder ?? '')
  if (title.trim() === '' || text.trim() === '') throw proposalErrors.emptyText()
  const path = notePath(title, 1, names?.join('/'))
  return { change: 'note', path, at: '', text: printable(text), version: null }
}

/** The result of a text in the current document; for a note, the note. */
export async function previewOf(
  safes: Readable,
  ownerId: string,
  safeId: string,
  proposed: ProposedText,
): Promise<Preview> {
  let now = { text: '', version: proposed.version }
  const preview = (after: string, problem: string | null) => {
    const isNewer = now.version !== proposed.version
    return { ...proposed, before: now.text, after, version: now.version, problem, isNewer }
  }
  try {
    now = await textOf(safes, ownerId, safeId, proposed)
    return preview(editedText(now.text, proposed), null)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    return preview(now.text, error.message)
  }
}

/** The files of accepted texts. @throws DomainError 409 if a document is not the version that the owner saw */
export async function filesOf(
  safes: Readable,
  ownerId: string,
  safeId: string,
  proposed: readonly ProposedText[],
  accepted: readonly AcceptedText[],
): Promise<NewText[]> {
  const files = new Map<string | null, NewText>()
  for (const { number, text: entered, version } of accepted) {
    const part = proposed[number]
    if (!part) throw proposalErrors.nothing()
    const { path } = part
    const text = printable(entered.replace(/\r\n?/g, '\n'))
    const key = part.version && path
    const now = files.get(key) ?? { path, ...(await textOf(safes, ownerId, safeId, part)) }
    if (now.version !== version) throw proposalErrors.changed(path)
    files.set(key, { ...now, text: editedText(now.text, { ...part, text }) })
  }
  return [...files.values()]
}

/** The current text of a document with `\n` as line ending; empty for a new note. @throws DomainError 400 if it cannot be edited */
async function textOf(
  { documents }: Readable,
  accountId: string,
  safeId: string,
  { path, version }: Pick<ProposedText, 'path' | 'version'>,
): Promise<{ text: string; version: string | null }> {
  if (version === null) return { text: '', version }
  const document = await documents.find(accountId, safeId, path)
  const bytes = await documents.original(accountId, safeId, document)
  if (bytes === null || document.kept !== 'whole' || !EDITABLE.includes(document.kind))
    throw proposalErrors.notEditable(path)
  const text = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
  return { text, version: document.contentHash }
}
