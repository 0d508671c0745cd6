import type { Format } from '../shared/format.js'
import { inBatches, MAX_BATCH, readLines } from '../shared/lines.js'
import { Note } from './note.js'
import { partsOf } from './text.js'

/** A file of Org mode: a note, read as the Markdown that says the same. */
export const org: Format = {
  id: 'org',
  title: 'Org mode note',
  extensions: ['org'],
  isRewritten: true,
  mayBeLegacy: true,
  async *parse(bytes, file = { path: 'note.org' }) {
    const [{ OrgLines }, { OrgLinks }] = await Promise.all([
      import('./org-lines.js'),
      import('./org-links.js'),
    ])
    let at = 0
    // Begun with the first line, when its title is known.
    let begun: Note | undefined
    const noteOf = () => {
      begun ??= new Note(file, null, lines.title)
      return begun
    }
    const lines = new OrgLines(new OrgLinks(file), (text, property) => {
      const note = noteOf()
      file.document?.write(`${text}\n`)
      at++
      if (property) note.addPageProperty(at, property.key, property.values)
      else for (const part of text === '' ? [''] : partsOf(text)) note.read(at, part)
    })
    for await (const some of readLines(bytes)) {
      for (const line of some) {
        if ('problem' in line) yield [line]
        else lines.read(line.text)
        if ((begun?.batch.length ?? 0) >= MAX_BATCH) yield* inBatches(noteOf().take())
      }
      // Even when empty, so that the caller can yield to other work.
      yield* inBatches(begun?.take() ?? [])
    }
    lines.end()
    const note = noteOf()
    note.end()
    yield* inBatches(note.take())
  },
}
