import type { LayerDocument } from '../stores/layer-documents.sql.js'
import type { FullPassage } from '../stores/types.js'
import type { MergeLayer } from './merge-layer.js'

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
