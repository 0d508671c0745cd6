import { BLOCK_UUID } from '../../syntax/index.js'
import type { NoteNames, NotePlace } from './note-names.js'
import { outsideCode } from './note-text.js'

/** A reference to a Logseq block: `((id))`, also embedded, and `[label](((id)))`. */
const REFERENCE = new RegExp(
  `\\[([^[\\]]{1,300})\\]\\(\\(\\((${BLOCK_UUID})\\)\\)\\)|(?:\\{\\{embed\\s{1,5})?\\(\\((${BLOCK_UUID})\\)\\)(?:\\s{0,5}\\}\\})?`,
  'gi',
)
/** Maximum nesting of referenced blocks, and characters of a line with them. */
const MAX_DEPTH = 2
const MAX_LENGTH = 4_000

/** Replaces block references with the text of the blocks, and returns their notes. Unknown references stay. */
export function withBlocks(line: string, notes: NoteNames): { text: string; found: NotePlace[] } {
  const found: NotePlace[] = []
  if (!line.includes('((')) return { text: line, found }
  return { text: outsideCode(line, part => expanded(part, notes, found, 0)), found }
}

function expanded(line: string, notes: NoteNames, found: NotePlace[], depth: number): string {
  let room = MAX_LENGTH
  return line.replace(REFERENCE, (all, label: string | undefined, of = '', id = '') => {
    const place = notes.ids.get(`${of}${id}`.toLowerCase())
    if (!place || depth > MAX_DEPTH || room < 0) return all
    if (depth === 0) found.push(place)
    const said = place.text || place.path.slice(place.path.lastIndexOf('/') + 1)
    const text = label ?? expanded(said, notes, found, depth + 1)
    room -= text.length
    return room < 0 ? all : text
  })
}
