import { TextDecoder } from 'node:util'
import { Document } from '../shared/document.js'
import { utf8Of } from '../shared/encoding.js'
import { type Format, UnreadableFile } from '../shared/format.js'
import { piecesOf } from '../shared/lines.js'

/**
 * A web page: an entity named after its file, with passages by heading. Nothing that it refers to is loaded.
 * It is read as a stream, not as a tree.
 */
export const html: Format = {
  id: 'html',
  title: 'Web page',
  extensions: ['html', 'htm', 'xhtml'],
  tells: /^(?:<\?xml[^>]{0,200}>\s{0,20})?<(?:!doctype html|html)\b/i,
  async *parse(bytes, file) {
    const { HtmlText } = await import('./html-text.js')
    const document = new Document(file)
    const page = new HtmlText(document)
    for await (const text of decoded(bytes)) {
      for (const piece of piecesOf(text)) {
        page.write(piece)
        // Even when empty, so that the caller can yield to other work.
        yield document.take()
        if (page.problem !== null) return
      }
    }
    page.end()
    yield document.finish('This page has no text.')
  },
}

/** Bytes in which a page names its character set (HTML §4.2.5.4). */
const START = 1_024

async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const chunks = bytes[Symbol.asyncIterator]()
  let first = Buffer.alloc(0)
  while (first.length < START) {
    const next = await chunks.next()
    if (next.done) break
    first = Buffer.concat([first, next.value])
  }
  const all = async function* () {
    yield first
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  const charset = charsetOf(first)
  const decoder = decoderFor(charset ?? 'utf-8')
  // Without a name browsers take it for Windows-1252, too.
  for await (const chunk of charset === null ? utf8Of(all(), true) : all()) yield decode(decoder, chunk)
  yield decode(decoder)
}

/** The character set that a page names, or null. One that can name UTF-16 is not in it (HTML §13.2.3.2). */
function charsetOf(bytes: Buffer): string | null {
  const begin = bytes.toString('latin1', 0, START)
  if (begin.startsWith('\xef\xbb\xbf')) return 'utf-8'
  const named = /\bcharset\s{0,9}=\s{0,9}["']?([\w:.-]{1,40})/i.exec(begin)?.[1] ?? null
  return named !== null && /^utf-?16/i.test(named) ? 'utf-8' : named
}

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true })
  } catch {
    throw new UnreadableFile(`This page is in the character set “${charset}”, which is not known.`)
  }
}

function decode(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined })
  } catch {
    throw new UnreadableFile(
      `This page is not text in ${decoder.encoding.toUpperCase()}, as it says. Open it in a browser and save it again.`,
    )
  }
}
