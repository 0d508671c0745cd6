import { Document } from '../shared/document.js'
import { utf8Of } from '../shared/encoding.js'
import { extensionOf } from '../shared/file-name.js'
import type { ZipParts } from '../shared/zip-parts.js'

/** Documents inside a document, and characters of all of them. */
const MOST_CHUNKS = 100
const MOST_CHARACTERS = 16_000_000

const RELATION = /<Relationship\s([^<>]{1,3000})>/g
const ID = /\bId="([^"<>]{1,100})"/
const TYPE = /\bType="([^"<>]{1,300})"/
const TARGET = /\bTarget="([^"<>]{1,1000})"/
const OUTSIDE = /\bTargetMode="External"/
/** What stands for a chunk in the text that mammoth reads, as a paragraph. */
const MARKED = /<p>\ue000([^<>\ue000\ue001]{1,100})\ue001<\/p>/g

/** Gives a chunk (ECMA-376-1 §17.17.2.1), which mammoth passes over, a place in the text. */
export const chunkMark = (id: string | undefined): string =>
  id === undefined ? '' : `<w:p><w:r><w:t>\ue000${id}\ue001</w:t></w:r></w:p>`

/** The HTML with the text of the chunks at their places. `htmlIn` reads a document inside this one. */
export async function withChunks(
  html: string,
  parts: ZipParts,
  htmlIn: (bytes: Buffer) => Promise<string>,
): Promise<string> {
  if (!html.includes('\ue000')) return html
  const targets = await targetsIn(parts)
  const texts = new Map<string, string>()
  let room = MOST_CHARACTERS
  for (const [, id = ''] of html.matchAll(MARKED)) {
    const path = targets.get(id)
    if (path === undefined || texts.has(id) || texts.size >= MOST_CHUNKS || !parts.has(path)) continue
    const text = await chunkHtml(path, await parts.read(path), htmlIn)
    if (text.length > room) continue
    texts.set(id, text)
    room -= text.length
  }
  // Each chunk once: a document may refer to one any number of times.
  return html.replace(MARKED, (_, id: string) => {
    const text = texts.get(id) ?? ''
    texts.delete(id)
    return text
  })
}

async function targetsIn(parts: ZipParts): Promise<Map<string, string>> {
  const path = 'word/_rels/document.xml.rels'
  const xml = parts.has(path) ? (await parts.read(path)).toString('utf8') : ''
  const targets = new Map<string, string>()
  for (const [, attributes = ''] of xml.matchAll(RELATION)) {
    const value = (pattern: RegExp) => pattern.exec(attributes)?.[1] ?? ''
    // What lies outside is not loaded.
    if (!value(TYPE).endsWith('/aFChunk') || OUTSIDE.test(attributes)) continue
    const target = value(TARGET)
    targets.set(value(ID), target.startsWith('/') ? target.slice(1) : `word/${target}`)
  }
  return targets
}

async function chunkHtml(
  path: string,
  bytes: Buffer,
  htmlIn: (bytes: Buffer) => Promise<string>,
): Promise<string> {
  if (bytes.toString('latin1', 0, 200).trimStart().startsWith('{\\rtf')) return fromRtf(bytes)
  if (bytes.toString('latin1', 0, 2) === 'PK') return htmlIn(bytes).catch(() => '')
  if (/^mime-version:|^content-type:\s{0,5}multipart/im.test(bytes.toString('latin1', 0, 1_000)))
    return fromMime(bytes)
  const text = await decoded(bytes)
  if (/^x?html?$/.test(extensionOf(path)) || /<(?:html|body|p|div|table)\b/i.test(text.slice(0, 2_000)))
    return bodyOf(text)
  return paragraphs(text)
}

/** A web page with its pictures in one file (MHTML), as programs write that make documents of pages. */
async function fromMime(bytes: Buffer): Promise<string> {
  const { default: PostalMime } = await import('postal-mime')
  const { html = '', text = '' } = await PostalMime.parse(bytes, {
    maxNestingDepth: 20,
    maxHeadersSize: 1_048_576,
  })
  return html === '' ? paragraphs(text) : bodyOf(html)
}

async function decoded(bytes: Buffer): Promise<string> {
  const pieces: Uint8Array[] = []
  const all = async function* () {
    yield bytes
  }
  for await (const piece of utf8Of(all(), true)) pieces.push(piece)
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .replaceAll('\0', '')
}

/** What stands between the tags of the body: the head would hide what follows it. */
function bodyOf(html: string): string {
  const lower = html.toLowerCase()
  const begin = lower.indexOf('<body')
  const from = begin < 0 ? 0 : lower.indexOf('>', begin) + 1
  const end = lower.indexOf('</body', from)
  return html.slice(from, end < 0 ? undefined : end)
}

async function fromRtf(bytes: Buffer): Promise<string> {
  const { RtfText } = await import('./rtf-text.js')
  const lines: string[] = []
  const document = new Document({
    path: 'chunk.rtf',
    document: { about() {}, begin() {}, write: text => void lines.push(text), line: 1 },
  })
  const text = new RtfText(document)
  text.write(bytes.toString('latin1'))
  text.end()
  document.end()
  return paragraphs(lines.join(''))
}

/** Lines of Markdown as elements: headings stay such. */
const paragraphs = (text: string) =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .map(line => {
      const [, marks = '', rest = line] = /^(#{1,6}) (.*)$/s.exec(line) ?? []
      const name = marks === '' ? 'p' : `h${marks.length}`
      return `<${name}>${escaped(rest)}</${name}>`
    })
    .join('')

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
