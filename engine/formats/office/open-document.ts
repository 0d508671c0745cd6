import { UnreadableFile } from '../shared/format.js'
import { xmlElements } from '../shared/xml-elements.js'
import type { ZipParts } from '../shared/zip-parts.js'

/** @throws UnreadableFile when the document has a password (OpenDocument 1.3 part 2 §3.4) */
export async function checkOpenDocument(parts: ZipParts, kind: string): Promise<void> {
  const path = 'META-INF/manifest.xml'
  if (!parts.has(path)) return
  const elements = xmlElements((await parts.read(path)).toString('utf8'))
  if (elements.some(({ name }) => name === 'encryption-data'))
    throw new UnreadableFile(`This ${kind} has a password. Save it without one, then add it again.`)
}
