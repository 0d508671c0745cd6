import { type Handler, Parser, type ParserOptions } from 'htmlparser2'
import { UnreadableFile } from '../shared/format.js'
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

/** Maximum nesting of elements, and values and elements of a kind in an item. */
const [MAX_DEPTH, MAX_VALUES] = [50, 10_000]

/** An element that is read as a whole, such as a note. */
export interface XmlItem {
  name: string
  line: number
  /** Elements inside it that are items as well. */
  inner: XmlItem[]
  /** Texts by the name of their element after the name of the one around it: `note title`. */
  texts: Map<string, string[]>
}

/** The texts of an item that are not empty. */
export const allOf = ({ texts }: XmlItem, path: string): string[] =>
  (texts.get(path) ?? []).map(text => text.trim()).filter(text => text !== '')

/** The first of them; empty if there is none. */
export const firstOf = (item: XmlItem, path: string): string => allOf(item, path)[0] ?? ''

/**
 * Reads the elements with these names one by one. `lengths`: maximum characters of the texts to read, by name and the
 * name of the element around. Also yields without items, so that the caller can yield to other work.
 * @throws UnreadableFile if elements are nested too deeply for an export of this program
 */
export async function* xmlItems(
  bytes: AsyncIterable<Uint8Array>,
  names: readonly string[],
  lengths: Readonly<Record<string, number>>,
  program: string,
): AsyncGenerator<XmlItem[]> {
  const open: string[] = []
  const items: XmlItem[] = []
  const finished: XmlItem[] = []
  const path = () => `${open.at(-2)} ${open.at(-1)}`
  const reader = {
    line: 1,
    onopentag(name: string) {
      if (open.push(name) > MAX_DEPTH)
        throw new UnreadableFile(`This is not an export of ${program}: its elements are too deep.`)
      const within = items.at(-1)
      if (within && path() in lengths) {
        const texts = within.texts.get(path()) ?? []
        within.texts.set(path(), texts)
        if (texts.length < MAX_VALUES) texts.push('')
      }
      if (!names.includes(name)) return
      const item: XmlItem = { name, line: reader.line, inner: [], texts: new Map() }
      if (within && within.inner.length < MAX_VALUES) within.inner.push(item)
      items.push(item)
    },
    ontext(text: string) {
      const texts = items.at(-1)?.texts.get(path())
      const known = texts?.pop()
      const most = lengths[path()] ?? 0
      if (known !== undefined) texts?.push(known + text.slice(0, Math.max(0, most - known.length)))
    },
    onclosetag(name: string) {
      open.pop()
      if (items.at(-1)?.name !== name) return
      const item = items.pop()
      if (item && items.length === 0) finished.push(item)
    },
  }
  for await (const _ of xmlPieces(bytes, reader)) yield finished.splice(0)
  yield finished
}
