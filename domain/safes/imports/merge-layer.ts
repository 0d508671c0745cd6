import { MAX_SOURCES } from '../../../engine/graph/index.js'
import { HashSet } from '../hash-set.js'
import type { Counts } from '../safe.js'
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
    const { subjectKey, predicate, objectKey, validFrom = null, validTo = null } = row
    const thing = ['relation', subjectKey, predicate, objectKey, validFrom, validTo]
    if (!this.#seen.add(...thing, 'from', origin)) return false
    for (let copy = 0; copy < MAX_SOURCES; copy++) if (this.#seen.add(...thing, copy)) return true
    return false
  }

  /** Whether to keep the passage: once, from the first import that contains it, which answers show as its source. */
  isNewPassage({ entityKey, title, text, source, seq, time }: FullPassage): boolean {
    return this.#seen.add('passage', entityKey, title, text, source, seq, time)
  }
}
