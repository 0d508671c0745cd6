import type { Format } from '../shared/format.js'
import { inBatches, MAX_BATCH, readLines } from '../shared/lines.js'
import { withoutEmbeddedData } from './embedded-data.js'
import { Note } from './note.js'
import { NotionProperties } from './notion-properties.js'
import { partsOf } from './text.js'

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
  async *parse(bytes, file) {
    const { FrontMatter } = await import('./front-matter.js')
    const note = new Note(file ?? { path: 'note.md' }, new FrontMatter())
    const pageProperties = file?.notion ? new NotionProperties() : null
    for await (const lines of readLines(withoutEmbeddedData(bytes))) {
      for (const line of lines) {
        if ('problem' in line) {
          note.batch.push(line)
          continue
        }
        const property = pageProperties?.read(line.text)
        if (property) {
          note.addPageProperty(line.line, property.key, property.values)
          continue
        }
        for (const part of note.isInFrontMatter ? [line.text] : partsOf(line.text)) {
          note.read(line.line, part)
          // Properties are slow to read, so each batch is small.
          if (note.batch.length >= MAX_BATCH || note.isInFrontMatter) yield* inBatches(note.take())
        }
        if (line.text === '') note.read(line.line, '')
      }
      yield* inBatches(note.take())
    }
    if (file?.notion?.database) note.addPageProperty(1, 'in database', [`[[${file.notion.database}]]`])
    note.end()
    yield* inBatches(note.take())
  },
}
