import { Document } from '../shared/document.js'
import { baseName } from '../shared/file-name.js'
import { flat } from '../shared/flat.js'
import { type Format, UnreadableFile } from '../shared/format.js'
import { type Members, objectsOf, parsedMembers, textOf } from '../shared/json.js'
import { boxOf } from '../shared/markdown-text.js'
import { knownTime } from '../shared/values.js'
import { wholeOf } from '../shared/whole-file.js'

/** A Google Keep note, exported by Takeout as a JSON file. Notes in the trash are left out. */
export const keep: Format = {
  id: 'keep',
  title: 'Google Keep note (Takeout)',
  extensions: ['json'],
  isRewritten: true,
  begins:
    /^\{[\s\S]{0,900}"(?:isTrashed|isPinned|userEditedTimestampUsec|createdTimestampUsec|textContentHtml)"\s{0,5}:/,
  async *parse(bytes, file) {
    const text = (await wholeOf(bytes, 'note', MAX_MIB)).toString('utf8')
    const note = parsedMembers(text.replace(/\0|^\ufeff/g, ''))
    if (!note) throw new UnreadableFile('This is not a note of Google Keep: it is not JSON.')
    if (note.isTrashed === true) return
    const name = baseName(file?.path ?? 'note.json')
    const lines = linesOf(note)
    const title = flat(textOf(note.title)).slice(0, 200)
    const time = timeOf(note.createdTimestampUsec) ?? timeOf(note.userEditedTimestampUsec)
    // Most notes have no title, and their file name is only a timestamp.
    const shown = title || beginningOf(lines) || name
    const document = new Document(file, { id: title || name, name: shown, time })
    document.addName(1, name)
    for (const { name } of objectsOf(note.labels)) document.relate(1, 'tagged', textOf(name))
    for (const line of lines) document.addLine(1, line)
    if (!document.hasText) document.addLine(1, shown)
    document.end()
    yield document.take()
  },
}

const MAX_MIB = 4
const MAX_BEGINNING_LENGTH = 60

/** The first line with text, cut between words. */
function beginningOf(lines: readonly string[]): string {
  const first = lines.map(line => flat(line.replace(/^- \[[ x]\]/, ''))).find(line => line !== '') ?? ''
  if (first.length <= MAX_BEGINNING_LENGTH) return first
  const cut = first.slice(0, MAX_BEGINNING_LENGTH)
  return `${cut.slice(0, cut.lastIndexOf(' ') + 1).trim() || cut.toWellFormed()}…`
}

function linesOf({ textContent, listContent, annotations }: Members): string[] {
  const items = objectsOf(listContent).map(
    ({ text, isChecked }) => `- ${boxOf(isChecked === true)}${textOf(text)}`,
  )
  const links = objectsOf(annotations)
    .filter(({ url }) => textOf(url) !== '')
    .map(({ title, url }) => `${textOf(title)} ${textOf(url)}`.trim())
  return [...textOf(textContent).split('\n'), ...items, ...(links.length > 0 ? ['', ...links] : [])]
}

/** Microseconds since 1970. */
const timeOf = (microseconds: unknown) =>
  typeof microseconds === 'number' ? knownTime(microseconds / 1000) : undefined
