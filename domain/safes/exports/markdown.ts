import { once } from 'node:events'
import { type PassThrough, Readable } from 'node:stream'
import type { ZipFile } from 'yazl'
import { isImage } from '../../../engine/formats/index.js'
import { notFound } from '../../../platform/common/domain-error.js'
import { readBytes, readText } from '../documents/document-text.js'
import { safeErrors } from '../errors.js'
import { EXPORT_MARK, isNote } from '../imports/import-files.js'
import type { Removed } from '../removed/removed.js'
import type { ContentStore } from '../stores/content.sql.js'
import type { DocumentStore } from '../stores/document.sql.js'
import type { StoredDocument } from '../stores/document-row.js'
import { ExportPaths } from './document-path.js'

export interface MarkdownDependencies {
  contents: Pick<ContentStore, 'committedImports' | 'removed'>
  documents: Pick<DocumentStore, 'list' | 'passages' | 'bytes'>
}

/** Documents looked up at once. */
const PAGE = 200
/** Every archive of the same documents has the same bytes: undated documents get the earliest date of the format. */
const NO_DATE = new Date(Date.UTC(1980, 0, 1, 12))

/**
 * The documents of a Safe as a zip archive, each under its path: the original bytes of text files, otherwise the extracted
 * text (ADR 16). Documents with another name in the archive are listed in `EXPORT_MARK`. One part of one document
 * is in memory at a time.
 */
export async function* markdownArchive(
  { contents, documents }: MarkdownDependencies,
  safeId: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const before = await contents.committedImports(safeId)
  if (!before) throw notFound('Safe')
  const removed = await contents.removed(safeId)
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const output = zip.outputStream as PassThrough
  zip.on('error', (error: Error) => output.destroy(error))
  void write(zip, { documents, safeId, signal, removed }, output).catch(error => output.destroy(error))
  try {
    yield* output
  } finally {
    output.destroy()
  }
  // Documents of an import that was undone in the meantime may be missing.
  const now = await contents.committedImports(safeId)
  if (!now || Math.max(now.undoneVersion, now.readableFrom) > before.version) throw safeErrors.changed()
}

/** `removed`: facts and passages that owners have removed. */
interface Source extends Pick<MarkdownDependencies, 'documents'> {
  safeId: string
  signal: AbortSignal
  removed: Removed
}

/** Adds each document after the previous one has been read, until the reader ends. */
async function write(zip: ZipFile, source: Source, output: PassThrough): Promise<void> {
  const paths = new ExportPaths()
  let isVault = true
  let taking: Readable | null = null
  // One listener for all documents.
  output.once('close', () => taking?.destroy())
  for await (const document of all(source)) {
    if (output.destroyed) return
    if (source.signal.aborted) throw safeErrors.stopped()
    const path = paths.of(document)
    const bytes = await bytesOf(source, document)
    if (output.destroyed) return
    taking = Readable.from([bytes])
    const mtime = document.time === null ? NO_DATE : new Date(Math.max(document.time, NO_DATE.getTime()))
    const taken = once(taking, 'close')
    zip.addReadStream(taking, path, { mtime, mode: 0o100644 })
    await taken
    isVault &&= isNote(path) || isImage(path)
  }
  const renamed = Object.fromEntries(paths.renamed)
  if (!isVault || paths.renamed.size > 0) {
    const mark = JSON.stringify({ version: 1, ...(paths.renamed.size > 0 && { renamed }) })
    zip.addBuffer(Buffer.from(`${mark}\n`), EXPORT_MARK, { mtime: NO_DATE, mode: 0o100644 })
  }
  zip.end()
}

/** Every document and picture, the newest of each path, ordered by path. */
async function* all({ documents, safeId }: Source): AsyncGenerator<StoredDocument> {
  for (let after = ''; ; ) {
    const page = await documents.list(safeId, { after, limit: PAGE, withImages: true })
    yield* page
    if (page.length < PAGE) return
    after = page.at(-1)?.path ?? after
  }
}

async function bytesOf({ documents, safeId, removed }: Source, document: StoredDocument): Promise<Buffer> {
  const bytes = await readBytes(documents, safeId, document, removed)
  return bytes ?? Buffer.from((await readText(documents, safeId, document, removed)).text)
}
