import { TextDecoder } from 'node:util'
import { Document } from './document.js'
import { type Format, UnreadableFile } from './format.js'
import { piecesOf } from './lines.js'

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
    document.end()
    if (!document.hasText) throw new UnreadableFile('This page has no text.')
    yield document.take()
  },
}

/** Bytes in which a page names its character set (HTML §4.2.5.4). */
const START = 1_024

async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let first = Buffer.alloc(0)
  let decoder: TextDecoder | null = null
  for await (const chunk of bytes) {
    if (decoder) yield decode(decoder, chunk)
    else {
      first = Buffer.concat([first, chunk])
      if (first.length < START) continue
      decoder = decoderFor(first)
      yield decode(decoder, first)
    }
  }
  decoder ??= decoderFor(first)
  yield decode(decoder, first.length < START ? first : new Uint8Array()) + decode(decoder)
}

function decoderFor(bytes: Buffer): TextDecoder {
  const begin = bytes.toString('latin1', 0, START)
  const named = /\bcharset\s{0,9}=\s{0,9}["']?([\w:.-]{1,40})/i.exec(begin)?.[1]
  const charset = begin.startsWith('\xef\xbb\xbf') ? 'utf-8' : (named ?? 'utf-8')
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
      `This page is not text in ${decoder.encoding.toUpperCase()}. Name its character set in a <meta charset>.`,
    )
  }
}
