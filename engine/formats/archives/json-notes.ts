import { Parser } from 'htmlparser2'
import type { Parsed } from '../../graph/index.js'
import { plainText } from '../notes/note-text.js'
import { TiddlerReader } from '../notes/tiddler.js'
import { flat } from '../shared/flat.js'
import { type Format, type SourceFile, UnreadableFile } from '../shared/format.js'
import { type Members, membersOf, objectsOf, textOf } from '../shared/json.js'
import { isoTime, labelled } from '../shared/values.js'
import { wholeOf } from '../shared/whole-file.js'
import { htmlLines } from '../web/html-lines.js'
import { ArchiveNotes } from './archive-notes.js'

const formatOf = (
  id: string,
  title: string,
  begins: RegExp,
  read: (text: string, file: SourceFile | undefined) => Iterable<Parsed[]>,
  extensions: string[] = ['json'],
): Format => ({
  ...{ id, title, extensions, begins, hasParts: true, isRewritten: true },
  async *parse(bytes, file) {
    yield* read((await wholeOf(bytes, 'file')).toString('utf8').replace(/^\ufeff/, ''), file)
  },
})

const BACKUP = /^\{[\s\S]{0,900}"content_type"\s{0,5}:/

/** A backup of Standard Notes: each note with its tags. */
export const standardNotes: Format = {
  ...formatOf('standardnotes', 'Standard Notes backup', BACKUP, function* (text, file) {
    const items = objectsOf(membersOf(parsed(text)).items)
    const notes = new ArchiveNotes(file)
    const tags = new Map<string, string[]>()
    for (const { content } of items.filter(({ content_type: kind }) => kind === 'Tag')) {
      const { title, references } = membersOf(content)
      for (const id of objectsOf(references).map(({ uuid }) => textOf(uuid)))
        tags.set(id, [...(tags.get(id) ?? []), textOf(title)])
    }
    for (const { uuid, content, created_at: time } of items.filter(
      ({ content_type: kind }) => kind === 'Note',
    )) {
      const { title, text, trashed } = membersOf(content)
      if (trashed === true) continue
      if (typeof content === 'string')
        throw new UnreadableFile('This backup is encrypted. In Standard Notes, download a decrypted one.')
      const note = { title: textOf(title), tags: tags.get(textOf(uuid)) ?? [], time: isoTime(time) }
      yield* notes.markdown(note, textOf(text).split('\n'))
    }
  }),
  // Its name ends with .txt.
  tells: BACKUP,
}

/** The posts of an account of Mastodon (`outbox.json`); what it only passed on is left out. */
export const mastodon = formatOf(
  'mastodon',
  'Mastodon archive (outbox.json)',
  /^\{[\s\S]{0,900}"type"\s{0,5}:\s{0,5}"OrderedCollection"/,
  function* (text, file) {
    const notes = new ArchiveNotes(file)
    for (const { object } of objectsOf(membersOf(parsed(text)).orderedItems)) {
      const { type, content, summary, published, url, tag, attachment } = membersOf(object)
      if (type !== 'Note') continue
      const said = htmlLines(textOf(content))
      const files = objectsOf(attachment).map(({ name }) => textOf(name))
      const title = `${plainText(textOf(summary) || said.join(' ')).slice(0, 60)}, ${textOf(published).slice(0, 10)}`
      const lines = [textOf(summary), ...said, labelled('Attached', files), '', textOf(url)]
      const tags = objectsOf(tag).flatMap(({ type, name }) => (type === 'Hashtag' ? [textOf(name)] : []))
      yield* notes.markdown({ title, tags, time: isoTime(published) }, lines)
    }
  },
)

/** Tiddlers that a wiki of TiddlyWiki has exported as JSON. */
export const tiddlers = formatOf(
  'tiddlers',
  'TiddlyWiki export (JSON)',
  /^\[\s{0,20}\{(?=[\s\S]{0,900}"title"\s{0,5}:)(?=[\s\S]{0,900}"text"\s{0,5}:)(?=[\s\S]{0,900}(?:"tags"\s{0,5}:\s{0,5}"|"(?:created|modified)"\s{0,5}:\s{0,5}"\d{17}"))/,
  (text, file) => tiddlersIn(objectsOf(parsed(text)), file),
)

/** A whole wiki of TiddlyWiki, which is a web page. */
export const tiddlyWiki = formatOf(
  'tiddlywikipage',
  'TiddlyWiki (.html)',
  /^<!doctype html[\s\S]{0,900}"TiddlyWiki"/i,
  (text, file) => tiddlersIn(tiddlersOfPage(text), file),
  ['html', 'htm'],
)

/** Tiddlers as files have them. Those of the program itself, and those that are no text, are left out. */
function* tiddlersIn(all: readonly Members[], file: SourceFile | undefined): Generator<Parsed[]> {
  const isNote = ({ title, type }: Members) =>
    textOf(title) !== '' && !/^\$:\//.test(textOf(title)) && TEXT.test(textOf(type))
  for (const tiddler of all.filter(isNote)) {
    const title = textOf(tiddler.title)
    file?.document?.begin(title)
    file?.document?.about({ title })
    const path = `${title.replace(NO_NAME, '_')}.md`
    const reader = new TiddlerReader({ path, ...(file?.document ? { document: file.document } : {}) })
    for (const [key, value] of Object.entries(tiddler))
      if (key !== 'text') reader.read(`${key}: ${flat(textOf(value))}`)
    for (const line of ['', ...textOf(tiddler.text).split('\n')]) reader.read(line)
    yield* reader.end()
  }
}

const TEXT = /^(?:|text\/(?:plain|vnd\.tiddlywiki|x-tiddlywiki|(?:x-)?markdown))$/
/** What no name of a file has. */
const NO_NAME = /[<>~:"|?*^/\\]/g

/** Of lists in JSON, or, before 2021, of elements with the fields as attributes. */
function tiddlersOfPage(page: string): Members[] {
  const found: Members[] = []
  let [store, tiddler] = ['', null as Members | null]
  const parser = new Parser({
    onopentag(name, { class: kind = '', ...fields }) {
      if (name === 'script' && kind.includes('tiddlywiki-tiddler-store')) store = ' '
      else if (name === 'div' && fields.title !== undefined) tiddler = { ...fields, text: '' }
    },
    ontext(text) {
      if (store !== '') store += text
      else if (tiddler) tiddler.text = `${textOf(tiddler.text)}${text}`
    },
    onclosetag(name) {
      if (name === 'script' && store !== '') found.push(...objectsOf(parsed(store)))
      else if (name === 'div' && tiddler) found.push({ ...tiddler, text: textOf(tiddler.text).trim() })
      if (name === 'script') store = ''
      if (name === 'div') tiddler = null
    },
  })
  parser.end(page)
  return found
}

/** @throws UnreadableFile */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new UnreadableFile('This JSON is damaged. Export it again.')
  }
}
