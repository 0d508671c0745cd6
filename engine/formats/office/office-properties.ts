import type { Parsed } from '../../graph/index.js'
import { timeOf } from '../notes/note-properties.js'
import { Document } from '../shared/document.js'
import { type SourceFile, UnreadableFile } from '../shared/format.js'
import type { ZipParts } from '../shared/zip-parts.js'

type Reader = (parts: ZipParts, document: Document, file: SourceFile | undefined) => AsyncIterable<unknown>

/** The reader of an Office document or OpenDocument: its properties, then its text. @param read yields between pieces */
export const officeDocument = (read: Reader) =>
  async function* (parts: ZipParts, file: SourceFile | undefined, kind: string): AsyncGenerator<Parsed[]> {
    await checkOpenDocument(parts, kind)
    const document = new Document(file)
    await readProperties(parts, document)
    for await (const _ of read(parts, document, file)) yield document.take()
    yield document.finish(`This ${kind} has no text.`)
  }

/** Title and date of an Office document (ECMA-376-2 §11.1) or an OpenDocument (1.3 part 3 §4.3). */
async function readProperties(parts: ZipParts, document: Document): Promise<void> {
  for (const path of ['docProps/core.xml', 'meta.xml']) {
    for (const { name, text } of await parts.elements(path)) {
      if (name === 'title') document.addName(1, text)
      else if (name === 'created' || name === 'creation-date') document.time ??= created(text)
    }
  }
}

/** Programs without the date write the epoch of Windows or Unix. */
function created(text: string): number | undefined {
  const time = timeOf(text)
  return time !== undefined && time > Date.UTC(1971, 0) ? time : undefined
}

/** @throws UnreadableFile if the document is encrypted (OpenDocument 1.3 part 2 §3.4) */
export async function checkOpenDocument(parts: ZipParts, kind: string): Promise<void> {
  const elements = await parts.elements('META-INF/manifest.xml')
  if (elements.some(({ name }) => name === 'encryption-data'))
    throw new UnreadableFile(`This ${kind} has a password. Save it without one, then add it again.`)
}

/** Whether a line is a header or footer with more than page numbers. */
export const isMargin = (line: string): boolean =>
  /^(?:Header|Footer): .*\p{L}{2}/su.test(line.replace(/\b(?:page|of|seite|von|sida)\b/gi, ''))
