import { utf8Of } from '../shared/encoding.js'
import { extensionOf } from '../shared/file-name.js'
import { linesTarget } from '../shared/text-flow.js'
import { only, wholeOf } from '../shared/whole.js'
import type { ZipParts } from '../shared/zip-parts.js'
import { isMime, pageIn } from '../web/mhtml.js'
import type { Relation } from './relations.js'

/** Maximum embedded documents, and characters of all of them. */
const MAX_CHUNKS = 100
const MAX_CHARACTERS = 16_000_000

/**
 * The lines of documents embedded in a DOCX (ECMA-376-1 §17.17.2.1), by relationship id.
 * @param linesIn reads an embedded DOCX
 */
export async function chunksOf(
  parts: ZipParts,
  relations: readonly Relation[],
  linesIn: (bytes: Buffer) => Promise<string[]>,
): Promise<Map<string, string[]>> {
  const chunks = new Map<string, string[]>()
  let room = MAX_CHARACTERS
  for (const { id, type, target, isOutside } of relations) {
    if (type !== 'aFChunk' || isOutside || chunks.size >= MAX_CHUNKS) continue
    const lines = await chunkLines(target, await parts.read(target), linesIn)
    const length = lines.reduce((sum, line) => sum + line.length, 0)
    if (length > room) continue
    chunks.set(id, lines)
    room -= length
  }
  return chunks
}

async function chunkLines(
  path: string,
  bytes: Buffer,
  linesIn: (bytes: Buffer) => Promise<string[]>,
): Promise<string[]> {
  if (bytes.toString('latin1', 0, 200).trimStart().startsWith('{\\rtf')) return rtfLines(bytes)
  if (bytes.toString('latin1', 0, 2) === 'PK') return linesIn(bytes).catch(() => [])
  const text = isMime(bytes) ? await pageIn(bytes) : await decoded(bytes)
  if (!/^x?html?$/.test(extensionOf(path)) && !/<(?:html|body|p|div|table)\b/i.test(text.slice(0, 2_000)))
    return text.split('\n').flatMap(line => [line.trim(), ''])
  const { htmlLines } = await import('../web/html-lines.js')
  return htmlLines(text)
}

async function decoded(bytes: Buffer): Promise<string> {
  const text = await wholeOf(utf8Of(only(bytes), true), 'document in a DOCX')
  return text
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .replaceAll('\0', '')
}

async function rtfLines(bytes: Buffer): Promise<string[]> {
  const { RtfText } = await import('./rtf-text.js')
  const lines: string[] = []
  const text = new RtfText(linesTarget(lines))
  text.write(bytes.toString('latin1'))
  text.end()
  return lines
}
