import { Document } from '../shared/document.js'
import { type Format, UnreadableFile } from '../shared/format.js'
import { piecesOf } from '../shared/lines.js'
import type { ZipParts } from '../shared/zip-parts.js'
import { withChunks } from './docx-chunks.js'
import { isOffice } from './office-kind.js'

/**
 * A document of Word, LibreOffice or Google Docs: an entity named after its file, with passages by heading.
 * Pictures and whatever it links to are not read.
 */
export const docx: Format = {
  id: 'docx',
  title: 'Word document',
  extensions: ['docx'],
  isBinary: true,
  isZip: true,
  signature: head => isOffice(head, 'word'),
  async *parse(bytes, file) {
    const [{ ZipParts }, { HtmlText }, { readOfficeProperties }] = await Promise.all([
      import('../shared/zip-parts.js'),
      import('../web/html-text.js'),
      import('./office-properties.js'),
    ])
    const parts = await ZipParts.open(bytes, 'DOCX')
    const document = new Document(file)
    await readOfficeProperties(parts, document)
    let piece = 0
    const text = new HtmlText(document, { isPart: true, lineOf: () => piece })
    for (const html of piecesOf(await htmlOf(parts))) {
      piece++
      text.write(html)
      yield document.take()
    }
    text.end()
    document.end()
    if (!document.hasText) throw new UnreadableFile('This DOCX has no text.')
    yield document.take()
  },
}

/** The document as HTML without its pictures. mammoth follows no link (`externalFileAccess` is off). */
async function htmlOf(parts: ZipParts, depth = 0): Promise<string> {
  const [{ default: mammoth }, { slimXml }] = await Promise.all([import('mammoth'), import('./docx-xml.js')])
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
  // Instead of the whole archive, which mammoth would unpack without limits.
  const file = {
    exists: (path: string) => parts.has(path),
    read: async (path: string, encoding?: string) => {
      const bytes = await parts.read(path)
      return encoding === undefined ? bytes : slimXml(bytes.toString('utf8'))
    },
  }
  const input = { file } as unknown as { buffer: Buffer }
  try {
    const { value } = await mammoth.convertToHtml(input, {
      convertImage,
      styleMap: STYLE_MAP,
      includeEmbeddedStyleMap: false,
    })
    return await withChunks(value.replace(BACK, ''), parts, async bytes => {
      if (depth >= DEEPEST) return ''
      const { ZipParts } = await import('../shared/zip-parts.js')
      return htmlOf(await ZipParts.open(only(bytes), 'DOCX'), depth + 1)
    })
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    throw new UnreadableFile('This is not a DOCX document, or it is damaged.')
  }
}

async function* only(bytes: Uint8Array) {
  yield bytes
}

/** The way back from a note. */
const BACK = / ?<a href="#(?:footnote|endnote)-ref-[^"<>]{1,20}">↑<\/a>/g

/** Documents in documents. */
const DEEPEST = 2

const STYLE_MAP = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"]
