import type { Parsed } from '../../graph/index.js'
import type { SourceFile } from '../shared/format.js'
import type { Line } from '../shared/lines.js'
import { checked } from '../shared/record.js'
import { isoTime } from '../shared/values.js'
import { Note } from './note.js'
import { NoteNames } from './note-names.js'
import { linePartsOf } from './text.js'

/** Files of Joplin's export as RAW: named after the ids of what they hold. */
const NAME = /(?:^|\/)[0-9a-f]{32}\.md$/
const FIELD = /^([a-z_]{2,40}): ?(.*)$/
const PICTURE = /!\[([^[\]]{0,300})\]\(:\/[0-9a-f]{32}\)/g
const LINK = /\]\(:\/([0-9a-f]{32})\)/g
/** What `type_` says. */
const [NOTE, TAGGED] = ['1', '6']
const [NOTEBOOK, FILE, TAG] = ['2', '4', '5']

/** Whether a file may be of Joplin, by its name. */
export const isJoplin = ({ path }: SourceFile): boolean => NAME.test(path)

/**
 * Reads what Joplin keeps in a file: a title, a text, and, at the end, fields. Notes are in their notebooks and have tags;
 * links are those of other notes. Null if the file is not of Joplin.
 */
export function joplinRecords(file: SourceFile, lines: readonly Line[]): Parsed[] | null {
  const { title, body, fields } = partsOf(lines)
  const type = fields.get('type_')
  if (type === undefined) return null
  const names = file.notes ?? new NoteNames()
  const idOf = (field: string) => names.ofFile(`${fields.get(field)}.md`)
  if (type === TAGGED) {
    const [subject, object] = [idOf('note_id'), idOf('tag_id')]
    return [checked(1, { kind: 'relation', subject, predicate: 'tagged', object })]
  }
  if (type !== NOTE)
    return [NOTEBOOK, FILE, TAG].includes(type)
      ? [checked(1, { kind: 'entity', id: names.ofFile(file.path), name: title })]
      : []
  const note = new Note(file, null, title)
  file.document?.about({ title })
  for (const line of body)
    if ('problem' in line) note.batch.push(line)
    else
      for (const part of linePartsOf(line.text.replace(PICTURE, '$1').replace(LINK, ']($1.md)')))
        note.read(line.line, part)
  if (fields.get('parent_id')) note.addPageProperty(1, 'in notebook', [`[[${fields.get('parent_id')}]]`])
  note.time ??= isoTime(fields.get('user_created_time') || fields.get('created_time'))
  note.end()
  return note.take()
}

function partsOf(lines: readonly Line[]): { title: string; body: Line[]; fields: Map<string, string> } {
  const textOf = (line: Line | undefined) => (line && 'text' in line ? line.text : '')
  const fields = new Map<string, string>()
  let from = lines.findLastIndex(line => textOf(line).trim() !== '') + 1
  for (; from > 0; from--) {
    const [, key, value = ''] = FIELD.exec(textOf(lines[from - 1])) ?? []
    if (key === undefined) break
    fields.set(key, value.trim())
  }
  const [first, ...body] = lines.slice(0, from)
  return { title: textOf(first).trim(), body, fields }
}
