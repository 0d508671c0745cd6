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

const MARK = ';base64,'
const DATA = /;base64,[A-Za-z0-9+/=%]+/g

/**
 * Removes embedded pictures, as Google Docs and editors write them: the data after `;base64,`. It has no line breaks,
 * exceeds the line limit, and contains no text.
 */
async function* withoutEmbeddedData(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  /** The last characters, which may be the beginning of the marker. */
  let held = ''
  let isInside = false
  for await (const some of bytes) {
    const text = held + Buffer.from(some.buffer, some.byteOffset, some.byteLength).toString('latin1')
    const kept: string = (isInside ? text.replace(/^[A-Za-z0-9+/=%]+/, '') : text).replace(DATA, MARK)
    isInside = kept === '' ? isInside : kept.endsWith(MARK)
    held = isInside ? '' : kept.slice(1 - MARK.length)
    yield Buffer.from(kept.slice(0, kept.length - held.length), 'latin1')
  }
  yield Buffer.from(held, 'latin1')
}
