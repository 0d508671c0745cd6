import { flat } from '../shared/flat.js'
import { type Format, UnreadableFile } from '../shared/format.js'
import { boxOf } from '../shared/markdown-text.js'
import { dayOf, isoTime } from '../shared/values.js'
import { ArchiveNotes } from './archive-notes.js'
import { allOf, firstOf, type XmlItem, xmlItems } from './xml-items.js'

const MAX_FIELD_LENGTH = 2_000
/** Maximum characters by parent and element; tasks and reminders have titles and dates of their own. */
const MAX_LENGTH: Readonly<Record<string, number>> = {
  'note title': MAX_FIELD_LENGTH,
  // ENML, a form of XHTML.
  'note content': 4_194_304,
  'note created': 40,
  'note updated': 40,
  'note tag': 200,
  'note-attributes author': 200,
  'note-attributes source-url': MAX_FIELD_LENGTH,
  'task title': MAX_FIELD_LENGTH,
  'task taskStatus': 40,
  'task dueDate': 40,
}
const MAX_TAGS = 100

/** Reads the notes of an export one by one; pictures and files in them are skipped. */
export const readEvernote: Format['parse'] = async function* (bytes, file) {
  const notes = new ArchiveNotes(file)
  let count = 0
  try {
    for await (const items of xmlItems(bytes, ['note', 'task'], MAX_LENGTH, 'Evernote')) {
      yield []
      count += items.length
      for (const item of items) yield* notes.html(noteOf(item))
    }
    if (count === 0) yield [{ line: 1, problem: 'This file has no notes of Evernote.' }]
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    yield [{ line: 1, problem: error.message }]
  }
}

function noteOf(note: XmlItem) {
  const html = firstOf(note, 'note content')
  return {
    line: note.line,
    title: firstOf(note, 'note title'),
    time: timeOf(firstOf(note, 'note created')) ?? timeOf(firstOf(note, 'note updated')),
    author: firstOf(note, 'note-attributes author'),
    tags: allOf(note, 'note tag').slice(0, MAX_TAGS),
    links: linksIn(html),
    html,
    lines: note.inner.map(taskLine),
    source: firstOf(note, 'note-attributes source-url'),
  }
}

function taskLine(task: XmlItem): string {
  const due = dayOf(timeOf(firstOf(task, 'task dueDate')))
  const until = due && ` (due ${due})`
  return `- ${boxOf(firstOf(task, 'task taskStatus') === 'completed')}${firstOf(task, 'task title')}${until}`
}

/** `20240501T101500Z` */
const timeOf = (text: string) =>
  isoTime(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

const LINK = /<a\b([^<>]*)>([^<>]*)<\/a>/g
const MAX_LINKS = 500

/** The titles of linked notes: Evernote writes them as the link text. */
function linksIn(content: string): Set<string> {
  const titles = new Set<string>()
  for (const [, attributes = '', text = ''] of content.matchAll(LINK)) {
    if (titles.size >= MAX_LINKS) break
    if (!attributes.includes('href="evernote:')) continue
    const title = flat(text.replace(/&amp;/g, '&')).slice(0, 200)
    // For a note without a title, Evernote shows its address.
    if (title !== '' && !title.startsWith('evernote:')) titles.add(title)
  }
  return titles
}
