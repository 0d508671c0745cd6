import { MAX_SOURCES } from '../../../engine/graph/index.js'
import { factOf, HashSet, passageOf } from '../hash-tables.js'
import type { Counts } from '../safe.js'
import type { LayerDocument } from '../stores/merge.sql.js'
import type { FullPassage, StoredRelation } from '../stores/types.js'

/** The import that others are merged into: knows which rows are new to it, and the ids of its next rows. */
export class MergeLayer {
  readonly counts: Counts = { entities: 0, relations: 0, passages: 0 }
  readonly last = { relation: 0, passage: 0, document: 0 }
  /** Path → document. */
  readonly documents = new Map<string, number>()
  readonly #seen = new HashSet()
  /** Subject and predicate with one value at a time → its latest value. */
  readonly #values = new Map<string, string>()

  /**
   * Whether to keep the relation: once per source, up to the number of sources that answers show. For a predicate with one value
   * at a time, also if an earlier value returns.
   */
  isNewRelation(row: StoredRelation, origin: string, isSingleValued: boolean): boolean {
    const isNew = this.#isNew(row, origin)
    if (!isSingleValued) return isNew
    const place = `${row.subjectKey}\0${row.predicate}`
    const before = this.#values.get(place) ?? row.objectKey
    this.#values.set(place, row.objectKey)
    return isNew || before !== row.objectKey
  }

  #isNew(row: StoredRelation, origin: string): boolean {
    const fact = factOf(row)
    if (!this.#seen.add(...fact, 'from', origin)) return false
    for (let copy = 0; copy < MAX_SOURCES; copy++) if (this.#seen.add(...fact, copy)) return true
    return false
  }

  /** Whether to keep the passage: once, from the first import that contains it, which answers show as its source. */
  isNewPassage(row: FullPassage): boolean {
    return this.#seen.add(...passageOf(row))
  }
}

/** Documents copied at once, and maximum bytes of their text. */
const DOCUMENTS_AT_ONCE = 50
const TEXT_AT_ONCE = 1_000_000

/** A document, and its number in the layer. */
interface Copy {
  document: LayerDocument
  newId: number
}

/** Which documents of the merged imports are in the layer: the newest of each path. */
export class MergedDocuments {
  /** Import and document → its copy. */
  readonly #copies = new Map<string, Copy>()
  /** Document in the layer → its original. */
  readonly #newest = new Map<number, LayerDocument>()

  /** Assigns a document its number in the layer, which is that of an older one with the same path. */
  add(layer: MergeLayer, document: LayerDocument): Copy {
    const newId = layer.documents.get(document.path) ?? ++layer.last.document
    const copy = { newId, document }
    layer.documents.set(document.path, newId)
    this.#copies.set(`${document.importId} ${document.id}`, copy)
    this.#newest.set(newId, document)
    return copy
  }

  /** The place of a passage in the layer. Its line is that of the document only if the document has not been replaced. */
  placeOf({ importId, documentId, line }: FullPassage): { documentId: number | null; line: number | null } {
    const copy = this.#copies.get(`${importId} ${documentId}`)
    if (!copy) return { documentId: null, line: null }
    const isNewest = this.#newest.get(copy.newId) === copy.document
    return { documentId: copy.newId, line: isNewest ? line : null }
  }
}

/** The maximum that one transaction copies. */
export function* inTransactions(copies: readonly Copy[]): Generator<Copy[]> {
  let [some, bytes]: [Copy[], number] = [[], 0]
  for (const copy of copies) {
    some.push(copy)
    bytes += copy.document.textBytes
    if (some.length < DOCUMENTS_AT_ONCE && bytes < TEXT_AT_ONCE) continue
    yield some
    some = []
    bytes = 0
  }
  if (some.length > 0) yield some
}
