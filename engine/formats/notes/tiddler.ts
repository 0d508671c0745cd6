import type { Format } from '../shared/format.js'
import { inBatches, MAX_BATCH, readLines } from '../shared/lines.js'
import { Note } from './note.js'
import { lineOf, type NoteProperty } from './org-header.js'
import { partsOf } from './text.js'
import { Wikitext } from './wikitext.js'

/** Lines of fields. */
const MOST_FIELDS = 200
const FIELD = /^([^:]{1,100}):\s?(.*)$/
/** `20140103091348509`, in UTC. */
const TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)\d{0,5}$/
/** Lists of titles. */
const LISTS: ReadonlySet<string> = new Set(['tags', 'list'])
const TITLES = /\[\[([^\]]{1,300})\]\]|(\S{1,300})/g
/** Fields for TiddlyWiki itself. */
const UNSEEN: ReadonlySet<string> = new Set(['title', 'type', 'revision', 'bag', 'text'])
const PROGRAM = /[[\]{}<>|$\\]/
const MARKDOWN = /^text\/(?:x-)?markdown/
const WIKITEXT = /^(?:|text\/vnd\.tiddlywiki)$/

/** A tiddler in a file of its own: its fields, an empty line, and wikitext, read as the Markdown that says the same. */
export const tiddler: Format = {
  id: 'tiddlywiki',
  title: 'TiddlyWiki note',
  extensions: ['tid'],
  isRewritten: true,
  mayBeLegacy: true,
  async *parse(bytes, file = { path: 'note.tid' }) {
    let at = 0
    let note: Note | undefined
    const fields = new Map<string, string>()
    const write = (text: string, property?: NoteProperty) => {
      file.document?.write(`${text}\n`)
      at++
      if (property) note?.addPageProperty(at, property.key, property.values)
      else for (const part of text === '' ? [''] : partsOf(text)) note?.read(at, part)
    }
    const wikitext = new Wikitext(title => file.notes?.ofKnown(title, file.path) != null, write)
    const type = () => fields.get('type') ?? ''
    const isWikitext = () => WIKITEXT.test(type())
    const isCode = () => !isWikitext() && !MARKDOWN.test(type())
    let hasBody = false
    const add = (line: string) => {
      hasBody ||= line.trim() !== ''
      if (isWikitext()) wikitext.read(line)
      else write(line)
    }
    const begin = () => {
      const title = fields.get('title') ?? ''
      note = new Note(file, null, title)
      if (title !== '') for (const line of [`# ${title}`, '']) write(line)
      const properties = propertiesOf(fields)
      for (const [at, property] of properties.entries())
        write(
          `${lineOf(property)}${at < properties.length - 1 ? '  ' : ''}`,
          property.isProgram ? undefined : property,
        )
      if (properties.length > 0) write('')
      if (isCode()) write('````')
      return note
    }
    for await (const some of readLines(bytes)) {
      for (const line of some) {
        if ('problem' in line) yield [line]
        else if (!note) {
          const [, key = '', value = ''] = fields.size < MOST_FIELDS ? (FIELD.exec(line.text) ?? []) : []
          if (key !== '') fields.set(key.trim().toLowerCase(), value.trim())
          else {
            begin()
            if (line.text.trim() !== '') add(line.text)
          }
        } else add(line.text)
        if ((note?.batch.length ?? 0) >= MAX_BATCH) yield* inBatches(note?.take() ?? [])
      }
      // Even when empty, so that the caller can yield to other work.
      yield* inBatches(note?.take() ?? [])
    }
    const ended = note ?? begin()
    // A tiddler may have its text among its fields.
    const inField = fields.get('text') ?? ''
    if (!hasBody && inField !== '') add(inField)
    wikitext.end()
    if (isCode()) write('````')
    ended.end()
    yield* inBatches(ended.take())
  },
}

/** `isProgram`: it is for TiddlyWiki, such as a filter. */
function propertiesOf(fields: ReadonlyMap<string, string>): (NoteProperty & { isProgram: boolean })[] {
  return [...fields]
    .filter(([key, value]) => !UNSEEN.has(key) && value !== '' && /^[a-z][\w-]{0,60}$/i.test(key))
    .map(([key, value]) => {
      const isProgram = !LISTS.has(key) && PROGRAM.test(value)
      const text = isProgram ? `\`${value.replaceAll('`', "'")}\`` : timeIn(value)
      return { key, values: LISTS.has(key) ? titlesIn(key, value) : [text], isProgram }
    })
}

function titlesIn(key: string, value: string): string[] {
  const titles = [...value.matchAll(TITLES)].map(([, linked, word = '']) => linked ?? word)
  // A tag of several words is one.
  return titles.map(title => (key === 'tags' && !title.includes(' ') ? title : `[[${title}]]`))
}

const timeIn = (value: string) => value.replace(TIME, '$1-$2-$3 $4:$5')
