import { cutText } from '../removed/cut-text.js'
import type { Removed } from '../removed/removed.js'
import type { DocumentPassage, DocumentStore } from '../stores/document.sql.js'
import type { StoredDocument } from '../stores/document-row.js'

/** A document with its text, or a piece of it. */
export interface DocumentText {
  text: string
  passages: DocumentPassage[]
}

/** The whole text of a document, with the places of its passages. For an earlier import it is assembled from them. */
export async function readText(
  documents: Pick<DocumentStore, 'passages' | 'bytes'>,
  safeId: string,
  document: StoredDocument,
  removed: Removed,
): Promise<DocumentText> {
  const passages = await documents.passages(safeId, document)
  const left = passages.filter(passage => !removed.hasPassage(passage))
  if (document.kept === 'passages') return fromPassages(left)
  const text = decoded(await documents.bytes(safeId, document))
  const cut = cutText(text, placed(text, passages), removed, isData(document))
  // Lines after the cut have other numbers now.
  const unplaced = cut === text ? left : left.map(passage => ({ ...passage, line: null }))
  return { text: cut, passages: placed(cut, unplaced) }
}

/** The original bytes, without removed parts. Null if only passages are stored. */
export async function readBytes(
  documents: Pick<DocumentStore, 'passages' | 'bytes'>,
  safeId: string,
  document: StoredDocument,
  removed: Removed,
): Promise<Buffer | null> {
  if (document.kept === 'passages') return null
  const bytes = await documents.bytes(safeId, document)
  if (removed.isEmpty) return bytes
  const text = bytes.toString('utf8')
  const passages = placed(text, await documents.passages(safeId, document))
  const cut = cutText(text, passages, removed, isData(document))
  return cut === text ? bytes : Buffer.from(cut)
}

const isData = ({ kind }: StoredDocument) => kind === 'data' || kind === 'table'

const decoded = (bytes: Buffer) => bytes.toString('utf8').replace(/^\ufeff/, '')

/** Characters used to find a passage again in a text whose lines have changed. */
const RECOGNIZED = 60

/** The passages with their lines; unknown lines are searched for. */
function placed(text: string, passages: readonly DocumentPassage[]): DocumentPassage[] {
  let from = 0
  let line = 1
  return passages.map(passage => {
    if (passage.line !== null) return passage
    const [first = ''] = passage.text.split('\n', 1)
    const at = text.indexOf(first.slice(0, RECOGNIZED), from)
    if (at === -1) return passage
    line += text.slice(from, at).split('\n').length - 1
    from = at
    return { ...passage, line }
  })
}

/** A document of an earlier import: its passages, each heading once. */
function fromPassages(passages: readonly DocumentPassage[]): DocumentText {
  const lines: string[] = []
  let title = ''
  const placed = passages.map(passage => {
    const heading = passage.title.split(' > ').slice(1).join(' › ')
    const line = lines.length + 1
    if (heading !== '' && passage.title !== title) lines.push(`## ${heading}`, '')
    title = passage.title
    lines.push(...passage.text.split('\n'), '')
    return { ...passage, line }
  })
  return { text: lines.join('\n'), passages: placed }
}
