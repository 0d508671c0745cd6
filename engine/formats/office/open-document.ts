import { UnreadableFile } from '../shared/format.js'
import type { ZipParts } from '../shared/zip-parts.js'

/** @throws UnreadableFile when the document has a password (OpenDocument 1.3 part 2 §3.4) */
export async function checkOpenDocument(parts: ZipParts, kind: string): Promise<void> {
  const elements = await parts.elements('META-INF/manifest.xml')
  if (elements.some(({ name }) => name === 'encryption-data'))
    throw new UnreadableFile(`This ${kind} has a password. Save it without one, then add it again.`)
}
