import type { Format } from '../shared/format.js'
import { readLines } from '../shared/lines.js'
import { RewrittenNote } from './rewritten-note.js'

/** An Org mode file: a note, converted to Markdown. */
export const org: Format = {
  id: 'org',
  title: 'Org mode note',
  extensions: ['org'],
  isRewritten: true,
  mayBeLegacy: true,
  async *parse(bytes, file = { path: 'note.org' }) {
    const { OrgLines } = await import('./org-lines.js')
    const note = new RewrittenNote(file, () => lines.title)
    const lines = new OrgLines(file, (text, property) => note.write(text, property))
    yield* note.read(readLines(bytes), text => lines.read(text))
    lines.end()
    yield* note.end()
  },
}
