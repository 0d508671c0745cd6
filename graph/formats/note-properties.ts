import type { GraphRecord } from '../model.js'
import { linkOf } from './note-line.js'
import type { NoteNames } from './note-names.js'

/** Properties by which programs keep their own accounts. */
const internal =
  /^(?:id|uuid|collapsed|heading|background-color|created-at|updated-at|cssclass|cssclasses|publish|position|kanban-plugin|excalidraw-plugin|logseq.*)$/i

/** Characters; what is longer is read in the note's passages, if at all. */
const longestValue = 80

/** What a property of a note says of it. */
export function* recordsOf(
  note: string,
  key: string,
  values: readonly string[],
  notes: NoteNames,
): Generator<GraphRecord> {
  const name = key.trim().toLowerCase()
  if (internal.test(name)) return
  if (name === 'alias' || name === 'aliases' || name === 'title') {
    const aliases = name === 'title' ? values : values.flatMap(separated)
    for (const alias of aliases) yield { kind: 'alias', entity: note, alias: linkOf(alias) ?? alias }
  } else if (name === 'tag' || name === 'tags') {
    const tags = values.flatMap(separated).flatMap(value => linkOf(value) ?? value.split(/\s+/))
    for (const tag of tags) {
      const object = tag.replace(/^#/, '')
      if (object !== '') yield { kind: 'relation', subject: note, predicate: 'tagged', object }
    }
  } else if (name === 'type') {
    const type = linkOf(values[0] ?? '') ?? values[0] ?? ''
    yield { kind: 'entity', id: note, name: note, type }
  } else {
    for (const value of values) {
      const link = linkOf(value)
      const object = link === null ? value.trim() : notes.ofLink(link)
      if (object === '' || object.length > longestValue) continue
      yield { kind: 'relation', subject: note, predicate: key.trim(), object }
    }
  }
}

/** `a, b` → `a`, `b`; links stay whole. */
const separated = (value: string) =>
  linkOf(value) !== null
    ? [value]
    : value
        .split(',')
        .map(part => part.trim())
        .filter(Boolean)
