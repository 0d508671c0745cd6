import { utf8Of } from './encoding.js'
import { readLines } from './lines.js'
import type { NotePlace } from './note-names.js'

/** Ids that are remembered of all notes of a folder, and characters of the text at each. */
const MOST_IDS = 50_000
const LONGEST_TEXT = 300

const ORG = /\.org$/i
const MARKDOWN = /\.(?:md|markdown)$/i
/** Folders of a graph of Logseq. */
const LOGSEQ = /(?:^|\/)(?:pages|journals)\/[^/]+$/

/** `:ID: …` of Org mode, and `id:: …` of Logseq, whose ids have always this form. */
const ORG_ID = /^\s{0,100}:ID:\s{1,20}(\S{1,100})\s*$/i
const BLOCK_ID = /^\s{0,200}id::\s{1,5}([0-9a-f]{8}-[0-9a-f-]{27})\s*$/i
const BULLET = /^\s{0,200}[-*+]\s+(.*)$/s

/** What the ids in notes stand for. Notes of other programs have none, and are not opened. */
export async function noteIds(
  files: readonly { path: string; open(): Promise<AsyncIterable<Uint8Array>> }[],
): Promise<Map<string, NotePlace>> {
  const ids = new Map<string, NotePlace>()
  for (const { path, open } of files) {
    if (!ORG.test(path) && !(LOGSEQ.test(path) && MARKDOWN.test(path))) continue
    // A file that cannot be read is reported when it is read for what it says.
    await addIds(ids, path, open).catch(() => {})
  }
  return ids
}

async function addIds(
  ids: Map<string, NotePlace>,
  path: string,
  open: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<void> {
  const isOrg = ORG.test(path)
  const note = path.replace(/\.[^./]{1,10}$/, '')
  let isWhole = true
  let text = ''
  for await (const lines of readLines(utf8Of(await open(), true))) {
    for (const line of lines) {
      if ('problem' in line) continue
      const [, heading] = isOrg ? (/^\*+\s+(.*)$/s.exec(line.text) ?? []) : []
      const [, bullet] = isOrg ? [] : (BULLET.exec(line.text) ?? [])
      const begun = heading ?? bullet
      if (begun !== undefined) {
        isWhole = false
        text = begun.slice(0, LONGEST_TEXT).toWellFormed()
        continue
      }
      const [, id] = (isOrg ? ORG_ID : BLOCK_ID).exec(line.text) ?? []
      if (id !== undefined && ids.size < MOST_IDS) ids.set(id.toLowerCase(), { path: note, isWhole, text })
    }
  }
}
