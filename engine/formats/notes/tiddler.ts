import type { Parsed } from '../../graph/index.js'
import type { Format, SourceFile } from '../shared/format.js'
import { readLines } from '../shared/lines.js'
import { headerLines, type NoteProperty, RewrittenNote } from './rewritten-note.js'
import { Wikitext } from './wikitext.js'

/** Maximum number of fields. */
const MAX_FIELDS = 200
const FIELD = /^([^:]{1,100}):\s?(.*)$/
/** `20140103091348509`, in UTC. */
const TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)\d{0,5}$/
/** Fields that contain lists of titles. */
const LISTS: ReadonlySet<string> = new Set(['tags', 'list'])
const TITLES = /\[\[([^\]]{1,300})\]\]|(\S{1,300})/g
/** Fields that only TiddlyWiki uses. */
const UNSEEN: ReadonlySet<string> = new Set(['title', 'type', 'revision', 'bag', 'text'])
const PROGRAM = /[[\]{}<>|$\\]/
const MARKDOWN = /^text\/(?:x-)?markdown/
const WIKITEXT = /^(?:|text\/vnd\.tiddlywiki)$/

/** A tiddler in its own file: fields, an empty line, and wikitext, which is converted to Markdown. */
export const tiddler: Format = {
  id: 'tiddlywiki',
  title: 'TiddlyWiki note',
  extensions: ['tid'],
  isRewritten: true,
  mayBeLegacy: true,
  async *parse(bytes, file = { path: 'note.tid' }) {
    const reader = new TiddlerReader(file)
    yield* reader.note.read(readLines(bytes), text => reader.read(text))
    yield* reader.end()
  },
}

/** Reads the lines of a tiddler. */
export class TiddlerReader {
  readonly note: RewrittenNote
  readonly #fields = new Map<string, string>()
  readonly #wikitext: Wikitext
  #hasBegun = false
  #hasBody = false

  constructor(file: SourceFile) {
    const isNote = (title: string) => file.notes?.ofKnown(title, file.path) != null
    this.note = new RewrittenNote(file, () => this.#field('title'))
    this.#wikitext = new Wikitext(isNote, line => this.note.write(line))
  }

  read(text: string): void {
    const isField = !this.#hasBegun && this.#fields.size < MAX_FIELDS
    const [, key = '', value = ''] = isField ? (FIELD.exec(text) ?? []) : []
    if (key !== '') this.#fields.set(key.trim().toLowerCase(), value.trim())
    else if (this.#hasBegun) this.#add(text)
    else {
      this.#begin()
      if (text.trim() !== '') this.#add(text)
    }
  }

  end(): Iterable<Parsed[]> {
    if (!this.#hasBegun) this.#begin()
    // The text may be in a field instead of below the fields.
    const inField = this.#field('text')
    if (!this.#hasBody && inField !== '') this.#add(inField)
    this.#wikitext.end()
    if (this.#isCode) this.note.write('````')
    return this.note.end()
  }

  #field(name: string): string {
    return this.#fields.get(name) ?? ''
  }

  get #isCode(): boolean {
    return !WIKITEXT.test(this.#field('type')) && !MARKDOWN.test(this.#field('type'))
  }

  #begin(): void {
    this.#hasBegun = true
    for (const { line, property } of headerLines(this.#field('title'), propertiesOf(this.#fields)))
      this.note.write(line, property?.isProgram ? undefined : property)
    if (this.#isCode) this.note.write('````')
  }

  #add(line: string): void {
    this.#hasBody ||= line.trim() !== ''
    if (WIKITEXT.test(this.#field('type'))) this.#wikitext.read(line)
    else this.note.write(line)
  }
}

/** `isProgram`: the value is code for TiddlyWiki, such as a filter. */
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
  // A tag of several words is written as one link.
  return titles.map(title => (key === 'tags' && !title.includes(' ') ? title : `[[${title}]]`))
}

const timeIn = (value: string) => value.replace(TIME, '$1-$2-$3 $4:$5')
