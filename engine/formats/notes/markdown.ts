import { FrontMatter } from '../../syntax/index.js'
import type { Format } from '../shared/format.js'
import { inBatches, type Line, readLines, readParts } from '../shared/lines.js'
import { isJoplin, joplinRecords } from './joplin.js'
import { Note } from './note.js'
import { contentOfLine } from './note-line.js'
import { NotionProperties } from './notion-properties.js'
import { linePartsOf } from './text.js'

/**
 * A note of Obsidian or Logseq, or a page of documentation: an entity named after its file, with passages by
 * heading and paragraph. `[[Links]]`, `key:: values`, `#tags` and the front matter become relations. It is
 * read line by line instead of as a tree: docs/decisions/0015.
 */
export const markdown: Format = {
  id: 'markdown',
  title: 'Markdown note (Obsidian, Logseq)',
  extensions: ['md', 'mdx', 'markdown', 'qmd', 'rmd'],
  mayBeLegacy: true,
  async *parse(bytes, file = { path: 'note.md' }) {
    const note = new Note(file, new FrontMatter(text => contentOfLine(text).properties[0]))
    const pageProperties = file.notion ? new NotionProperties() : null
    let pieces: AsyncIterable<Line[]> | Line[][] = readLines(withoutEmbeddedData(bytes))
    if (isJoplin(file)) {
      const all: Line[] = []
      for await (const lines of pieces) all.push(...lines)
      const records = joplinRecords(file, all)
      if (records) return yield* inBatches(records)
      pieces = [all]
    }
    yield* readParts(pieces, {
      read({ line, text }) {
        const property = pageProperties?.read(text)
        if (property) note.addPageProperty(line, property.key, property.values)
        else for (const part of note.isInFrontMatter ? [text] : linePartsOf(text)) note.read(line, part)
        return note.take()
      },
      end() {
        if (file.notion?.database) note.addPageProperty(1, 'in database', [`[[${file.notion.database}]]`])
        note.end()
        return note.take()
      },
    })
  },
}

const MARK = Buffer.from(';base64,')
const IS_DATA = Array.from({ length: 256 }, (_, byte) => /[A-Za-z0-9+/=%]/.test(String.fromCharCode(byte)))

/**
 * Removes embedded pictures, as Google Docs and editors write them: the data after `;base64,`. It has no line breaks,
 * exceeds the line limit, and contains no text.
 */
async function* withoutEmbeddedData(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  /** Bytes that may be the beginning of the marker. */
  let carried = Buffer.alloc(0)
  let isInside = false
  for await (const chunk of bytes) {
    const text = Buffer.concat([carried, chunk])
    const kept: Buffer[] = []
    let at: number = isInside ? endOfData(text, 0) : 0
    isInside = isInside && at === text.length
    for (let mark = text.indexOf(MARK, at); mark >= 0 && !isInside; mark = text.indexOf(MARK, at)) {
      kept.push(text.subarray(at, mark + MARK.length))
      at = endOfData(text, mark + MARK.length)
      isInside = at === text.length
    }
    const end = isInside ? text.length : Math.max(at, text.length - MARK.length + 1)
    kept.push(text.subarray(at, end))
    carried = text.subarray(end)
    yield Buffer.concat(kept)
  }
  yield carried
}

function endOfData(text: Buffer, from: number): number {
  let at = from
  while (at < text.length && IS_DATA[text[at] ?? 0]) at++
  return at
}
