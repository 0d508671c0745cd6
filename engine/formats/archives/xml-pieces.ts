import { type Handler, Parser, type ParserOptions } from 'htmlparser2'
import { textPieces } from '../shared/lines.js'

/** Is told what a file in XML has; `line` is counted along. */
type XmlReader = Partial<Handler> & { line: number }

/** Reads XML, or HTML, as a stream; yields after each piece. Entities of a DTD are not expanded. */
export async function* xmlPieces(
  bytes: AsyncIterable<Uint8Array>,
  reader: XmlReader,
  options: ParserOptions = { xmlMode: true },
): AsyncGenerator<void> {
  const parser = new Parser(reader, options)
  for await (const { piece, lines } of textPieces(bytes)) {
    parser.write(piece)
    reader.line += lines
    yield
  }
  parser.end()
}

/** Texts of elements by the names of these. */
export class Fields {
  readonly #texts = new Map<string, string>()

  /** @param longest characters that are kept */
  add(name: string, text: string, longest: number): void {
    const known = this.#texts.get(name) ?? ''
    if (known.length < longest) this.#texts.set(name, known + text.slice(0, longest - known.length))
  }

  get(name: string): string {
    return this.#texts.get(name)?.trim() ?? ''
  }

  /** The text, of which there may be another one. */
  take(name: string): string {
    const text = this.get(name)
    this.#texts.delete(name)
    return text
  }
}
