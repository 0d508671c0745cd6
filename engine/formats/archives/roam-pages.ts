import { words } from '../../../platform/common/words.js'
import type { Format } from '../shared/format.js'
import { listOf, type Members, objectsOf, parsedMembers, textOf } from '../shared/json.js'
import { readParts } from '../shared/lines.js'
import { knownTime } from '../shared/values.js'
import { jsonItems } from '../tables/json-parts.js'
import { ArchiveNotes } from './archive-notes.js'

/** Maximum blocks stored for references in later pages, and characters of each. */
const MAX_BLOCKS = 50_000
const MAX_BLOCK_LENGTH = 300
/** Maximum nesting of blocks. */
const MAX_DEPTH = 20

/** Converts Roam pages to notes: an outline of bullets. */
export const readRoam: Format['parse'] = (bytes, file) => {
  const notes = new ArchiveNotes(file)
  const blocks = new Map<string, string>()
  return readParts(jsonItems(bytes), {
    read({ line, text }) {
      const page = parsedMembers(text)
      if (!page) return [{ line, problem: 'This page is not JSON.' }]
      const title = textOf(page.title)
      if (title.trim() === '' && listOf(page.children).length === 0) return []
      const note = { title, time: knownTime(Number(page['create-time'])) }
      const parsed = [...notes.markdown(note, outlineOf(page, blocks))].flat()
      // Passages have the line of the document; problems get the line of the page in the file.
      return parsed.map(each => ('record' in each ? each : { ...each, line }))
    },
    endsDocument: () => true,
  })
}

function* outlineOf(block: Members, blocks: Map<string, string>, depth = 0): Generator<string> {
  for (const child of objectsOf(block.children)) {
    const [first = '', ...more] = roamText(textOf(child.string), blocks).split('\n')
    const indent = '  '.repeat(Math.min(depth, MAX_DEPTH))
    const uid = textOf(child.uid)
    if (uid !== '' && blocks.size < MAX_BLOCKS) blocks.set(uid, first.slice(0, MAX_BLOCK_LENGTH))
    yield `${indent}- ${first}`
    for (const line of more) yield `${indent}  ${line}`
    yield* outlineOf(child, blocks, depth + 1)
  }
}

/** Code in a block: with line breaks, or within a line. */
const CODE = /(```[\s\S]*?```|`[^`]*`)/

/** Converts a Roam block to Markdown. References to `blocks`, by id, show their text. */
function roamText(text: string, blocks: ReadonlyMap<string, string>): string {
  let shown = ''
  for (const [at, piece] of text.replaceAll('\0', '').split(CODE).entries()) {
    const isCode = at % 2 === 1
    if (isCode && piece.startsWith('```') && piece.includes('\n')) {
      // Roam ends a code block on its last line, where Markdown would continue.
      const lineBefore = shown === '' || shown.endsWith('\n') ? '' : '\n'
      shown += `${lineBefore}${piece.slice(0, -3).replace(/\n$/, '')}\n\`\`\`\n`
    } else if (isCode) shown += piece
    else shown += prose(shown.endsWith('\n') ? piece.replace(/^\n/, '') : piece, blocks)
  }
  return shown.replace(/\n$/, '')
}

function prose(text: string, blocks: ReadonlyMap<string, string>): string {
  return withoutCommands(text)
    .replace(/\[([^[\]\n]{1,300})\]\(\(\([\w-]{6,40}\)\)\)/g, '$1')
    .replace(/\[([^[\]\n|]{1,300})\]\(\[\[([^[\]\n|]{1,300})\]\]\)/g, '[[$2|$1]]')
    .replace(/\(\(([\w-]{6,40})\)\)/g, (all, uid: string) => blocks.get(uid) ?? all)
    .replaceAll('^^', '==')
}

/** Replaces `{{[[video]]: https://…}}` by its address and removes other Roam commands, such as queries. */
function withoutCommands(text: string): string {
  let [shown, at] = ['', 0]
  for (;;) {
    const begin = text.indexOf('{{', at)
    const end = begin < 0 ? -1 : endOf(text, begin)
    if (end < 0) return shown + text.slice(at)
    shown += text.slice(at, begin) + shownOf(text.slice(begin + 2, end - 2))
    at = end
  }
}

/** Index of the braces that close those at `begin`, or -1. */
function endOf(text: string, begin: number): number {
  let depth = 0
  for (let at = begin; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at + 1
  }
  return -1
}

const HIDDEN = words(`query attr-table table kanban diagram mermaid chart timeline slider pomo encrypt
  streak mentions search date orphans count word-count character-count comment-button roam/render roam/js`)

function shownOf(command: string): string {
  const [, name = '', value = ''] =
    /^\s{0,9}(?:\[\[)?([^[\]:{}]{0,60})(?:\]\])?\s{0,9}:?(.*)$/s.exec(command) ?? []
  const known = name.trim().toLowerCase()
  if (known === 'todo') return '[ ]'
  if (known === 'done') return '[x]'
  if (HIDDEN.has(known)) return ''
  const said = value.trim()
  if (known === 'or') return said.split('|', 1)[0]?.trim() ?? ''
  return said === '' ? name.trim() : said
}
