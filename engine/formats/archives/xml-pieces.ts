import { type Handler, Parser, type ParserOptions } from 'htmlparser2'
import { textPieces } from '../shared/lines.js'

/** Receives the parts of an XML file; `line` is updated while reading. */
type XmlReader = Partial<Handler> & { line: number }

/** Reads XML or HTML as a stream; yields after each piece. Entities of a DTD are not expanded. */
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

/** Texts of elements by name. */
export class Fields {
  readonly #texts = new Map<string, string>()

  /** @param longest maximum characters */
  add(name: string, text: string, longest: number): void {
    const known = this.#texts.get(name) ?? ''
    if (known.length < longest) this.#texts.set(name, known + text.slice(0, longest - known.length))
  }

  get(name: string): string {
    return this.#texts.get(name)?.trim() ?? ''
  }

  /** Returns the text and removes it. */
  take(name: string): string {
    const text = this.get(name)
    this.#texts.delete(name)
    return text
  }
}
