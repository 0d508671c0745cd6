import { LRUCache } from 'lru-cache'
import { graphOf, IdReader, plainText } from '../../../engine/formats/index.js'
import { Part } from '../../part.js'
import type { Removed } from '../removed/removed.js'
import type { DocumentStore } from '../stores/document.sql.js'
import type { StoredDocument } from '../stores/document-row.js'
import { readText } from './document-text.js'
import { baseTitle } from './name-key.js'

/** The place and text of a Logseq block. */
export interface BlockPlace {
  path: string
  text: string
}

type Documents = Pick<DocumentStore, 'find' | 'list' | 'bytes' | 'passages'>

/** Maximum ids looked up per page, maximum notes of a graph searched for them, and maximum bytes read for them. */
const MAX_IDS = 200
const MAX_NOTES = 20_000
const MAX_BYTES = 64 * 1024 * 1024
const PAGE = 1_000
/** Maximum notes whose ids are cached, and maximum ids of one note. */
const REMEMBERED = 50_000
const MAX_IN_NOTE = 2_000

/** Finds the blocks that pages refer to by id. No row has these ids: notes are read for them, each once until it changes. */
export class BlockPlaces extends Part<{ documents: Documents }> {
  /** The ids in a text, by its hash. */
  readonly #ids = new LRUCache<string, readonly string[]>({ max: REMEMBERED })

  /** The found blocks, by their ids in lower case. A block is in the note itself, or in its graph. */
  async find(
    safeId: string,
    from: string,
    ids: readonly string[],
    removed: Removed,
  ): Promise<Map<string, BlockPlace>> {
    const left = new Set(ids.slice(0, MAX_IDS).map(id => id.toLowerCase()))
    const found = new Map<string, BlockPlace>()
    let bytes = 0
    for await (const document of this.#notes(safeId, from)) {
      if (left.size === 0 || bytes > MAX_BYTES) break
      const known = this.#ids.get(document.contentHash)
      if (!known) bytes += document.textBytes
      if (!(known ?? (await this.#idsIn(safeId, document))).some(id => left.has(id))) continue
      const { text } = await readText(this.dependencies.documents, safeId, document, removed)
      for (const { id, text: said } of blocksIn(text))
        if (left.delete(id))
          found.set(id, {
            path: document.path,
            text: plainText(withoutBlocks(said)) || baseTitle(document.path),
          })
    }
    return found
  }

  async *#notes(safeId: string, from: string): AsyncGenerator<StoredDocument> {
    const own = await this.dependencies.documents.find(safeId, from)
    if (own) yield own
    const graph = graphOf(from)
    if (graph === null) return
    let count = 0
    for (let after = ''; count < MAX_NOTES; ) {
      const page = await this.dependencies.documents.list(safeId, { folder: graph, after, limit: PAGE })
      for (const note of page) if (graphOf(note.path) === graph && note.path !== from) yield note
      if (page.length < PAGE) return
      count += page.length
      after = page.at(-1)?.path ?? after
    }
  }

  async #idsIn(safeId: string, document: StoredDocument): Promise<readonly string[]> {
    const text = (await this.dependencies.documents.bytes(safeId, document)).toString('utf8')
    const ids = text.includes('id:: ') ? [...blocksIn(text)].slice(0, MAX_IN_NOTE).map(({ id }) => id) : []
    this.#ids.set(document.contentHash, ids)
    return ids
  }
}

function* blocksIn(text: string): Generator<{ id: string; text: string }> {
  const reader = new IdReader(false)
  for (const line of text.split('\n')) {
    const found = reader.read(line.trimEnd())
    if (found) yield found
  }
}

/** References inside these blocks are not looked up. */
const withoutBlocks = (text: string) => text.replace(/\(\([0-9a-f-]{36}\)\)/gi, '…')
