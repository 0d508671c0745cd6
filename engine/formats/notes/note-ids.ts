import { BLOCK_UUID } from '../../syntax/index.js'
import { utf8Of } from '../shared/encoding.js'
import { readLines } from '../shared/lines.js'
import type { NotePlace } from './note-names.js'
import type { NoteFile } from './vault-settings.js'

/** Maximum ids stored for all notes of a folder, and characters of text per id. */
const MAX_IDS = 50_000
const MAX_TEXT_LENGTH = 300

const ORG = /\.org$/i
const MARKDOWN = /\.(?:md|markdown)$/i
/** Notes of a Logseq graph, below its folder. */
const LOGSEQ = /^(.*\/)?(?:pages|journals)\/[^/]+$/s

/** `:ID: …` in Org mode, and `id:: …` in Logseq, which is always a UUID. */
const ORG_ID = /^\s{0,100}:ID:\s{1,20}(\S{1,100})\s*$/i
const BLOCK_ID = new RegExp(`^\\s{0,200}id::\\s{1,5}(${BLOCK_UUID})\\s*$`, 'i')
const HEADING = /^\*{1,100}\s+(.*)$/s
const BULLET = /^\s{0,200}[-*+]\s+(.*)$/s

/** The folder of the Logseq graph that contains a note, empty or with a slash; null for other notes. */
export function graphOf(path: string): string | null {
  const found = MARKDOWN.test(path) ? LOGSEQ.exec(path) : null
  return found && (found[1] ?? '')
}

/** The notes and blocks for each id. Only files of programs that use ids are opened. */
export async function noteIds(files: readonly NoteFile[]): Promise<Map<string, NotePlace>> {
  const ids = new Map<string, NotePlace>()
  for (const file of files)
    if (ORG.test(file.path) || graphOf(file.path) !== null)
      // Unreadable files are reported later, when their contents are read.
      await addIds(ids, file).catch(() => {})
  return ids
}

async function addIds(ids: Map<string, NotePlace>, { path, open }: NoteFile): Promise<void> {
  const reader = new IdReader(ORG.test(path))
  const note = path.replace(/\.[^./]{1,10}$/, '')
  for await (const lines of readLines(utf8Of(await open(), true))) {
    for (const line of lines) {
      const found = 'problem' in line ? null : reader.read(line.text)
      if (found && ids.size < MAX_IDS)
        ids.set(found.id, { path: note, isWhole: found.isWhole, text: found.text })
    }
  }
}

/** Finds the ids in a note, each with the text of its block or heading. */
export class IdReader {
  readonly #begin: RegExp
  readonly #id: RegExp
  #text = ''
  #isWhole = true

  constructor(isOrg: boolean) {
    this.#begin = isOrg ? HEADING : BULLET
    this.#id = isOrg ? ORG_ID : BLOCK_ID
  }

  /** The id in this line, in lower case, or null. `isWhole`: it identifies the whole note. */
  read(line: string): { id: string; isWhole: boolean; text: string } | null {
    const [, begun] = this.#begin.exec(line) ?? []
    if (begun !== undefined) {
      this.#isWhole = false
      this.#text = begun
        .replace(/^#{1,6}\s+/, '')
        .slice(0, MAX_TEXT_LENGTH)
        .toWellFormed()
      return null
    }
    const [, id] = this.#id.exec(line) ?? []
    return id === undefined ? null : { id: id.toLowerCase(), isWhole: this.#isWhole, text: this.#text }
  }
}
