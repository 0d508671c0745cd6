import { LRUCache } from 'lru-cache'
import type { EntityRow, RowRef } from '../../../engine/graph/index.js'
import type { ContentStore } from '../stores/content.sql.js'
import { type EntityRef, FIRST_VERSION, type StoredPassage, type StoredRelation } from '../stores/types.js'
import { type Cost, costOfBody } from './answer-costs.js'

/** Rows by import and id or key; null for missing rows. */
interface SafeRows {
  /** The version of the Safe that these rows belong to. */
  version: number
  relations: Map<number, StoredRelation | null>
  passages: Map<number, StoredPassage | null>
  entities: Map<string, EntityRow | null>
  /** Sources by import id; null for imports that are no longer committed. */
  sources: Map<number, string | null>
  bytes: number
}

/** Reads the rows of one Safe at one version. */
export interface RowReader {
  relations(refs: readonly RowRef[]): Promise<StoredRelation[]>
  passages(refs: readonly RowRef[]): Promise<StoredPassage[]>
  /** Names by entity key, each from the import that `naming` gives for the key. */
  names(naming: ReadonlyMap<string, number>): Promise<Map<string, string>>
  /** Sources of imports, without those that are no longer committed. */
  sources(importIds: readonly number[]): Promise<Map<number, string>>
  /** Tokens of a passage's text, counted once while the row is in memory. */
  costOf(row: StoredPassage): Cost
}

/** Reads rows that are not in memory. */
export type StoredRows = Pick<ContentStore, 'relations' | 'passages' | 'entities' | 'sources'>

/** Rows of one kind: those in memory, and a function that reads the others. */
interface CachedTable<Ref, Key, Row> {
  known: Map<Key, Row | null>
  keyOf(ref: Ref): Key
  read(missing: Ref[]): Promise<Map<Key, Row>>
  sizeOf(row: Row): number
}

/** Memory of a row without its texts, and of a missing row. */
const ROW_BYTES = 250
const ABSENT_BYTES = 120

/**
 * A bounded cache of the rows used in answers, so that repeated questions to a Safe read nothing. Rows never
 * change, but the set of visible rows does, together with the Safe's version: rows of another version are
 * discarded. The least recently used Safes are evicted first. Callers check the membership before.
 */
export class HotRows {
  readonly #contents: StoredRows
  readonly #safes: LRUCache<string, SafeRows>
  readonly #costs = new WeakMap<StoredPassage, Cost>()

  constructor(contents: StoredRows, maxBytes: number) {
    this.#contents = contents
    // The cache does not accept a size of 0.
    this.#safes = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => Math.max(bytes, 1) })
  }

  /** Estimated memory of all rows. */
  get bytes(): number {
    return this.#safes.calculatedSize
  }

  /**
   * A reader for a Safe, from memory where possible. `version` is the newest known version, even if the rows come from
   * an index of an older one, so that undone imports are not shown.
   */
  of(safeId: string, version: number): RowReader {
    const rows = this.#rowsOf(safeId, version)
    const contents = this.#contents
    const relations: CachedTable<RowRef, number, StoredRelation> = {
      known: rows.relations,
      keyOf: numberOf,
      read: async refs => byNumber(await contents.relations(safeId, refs)),
      sizeOf: sizeOfRelation,
    }
    const passages: CachedTable<RowRef, number, StoredPassage> = {
      known: rows.passages,
      keyOf: numberOf,
      read: async refs => byNumber(await contents.passages(safeId, refs)),
      sizeOf: sizeOfPassage,
    }
    const entities: CachedTable<EntityRef, string, EntityRow> = {
      known: rows.entities,
      keyOf: keyOfEntity,
      read: async refs =>
        new Map((await contents.entities(safeId, refs)).map(row => [keyOfEntity(row), row])),
      sizeOf: sizeOfEntity,
    }
    const sources: CachedTable<number, number, string> = {
      known: rows.sources,
      keyOf: id => id,
      read: ids => contents.sources(safeId, ids),
      sizeOf: source => ABSENT_BYTES + 2 * source.length,
    }
    return {
      relations: async refs => [...(await this.#read(safeId, rows, relations, refs)).values()],
      passages: async refs => [...(await this.#read(safeId, rows, passages, refs)).values()],
      names: async naming => {
        const refs = Array.from(naming, ([key, importId]) => ({ importId, key }))
        const found = await this.#read(safeId, rows, entities, refs)
        return new Map(Array.from(found.values(), ({ key, name }) => [key, name]))
      },
      sources: importIds => this.#read(safeId, rows, sources, importIds),
      costOf: row => this.#costOf(row),
    }
  }

  /** Discards a removed Safe. */
  drop(safeId: string): void {
    this.#safes.delete(safeId)
  }

  #costOf(row: StoredPassage): Cost {
    const known = this.#costs.get(row)
    if (known) return known
    const cost = costOfBody(row.text)
    this.#costs.set(row, cost)
    return cost
  }

  #rowsOf(safeId: string, version: number): SafeRows {
    const known = this.#safes.get(safeId)
    if (known?.version === version) return known
    const fresh = {
      ...{ version, relations: new Map(), passages: new Map(), entities: new Map(), sources: new Map() },
      bytes: 0,
    }
    // A question that still uses an older version caches nothing.
    if (known && known.version > version) return fresh
    this.#safes.set(safeId, fresh)
    return fresh
  }

  /** The existing rows, each once, in the order of `refs`. */
  async #read<Ref, Key, Row>(
    safeId: string,
    rows: SafeRows,
    { known, keyOf, read, sizeOf }: CachedTable<Ref, Key, Row>,
    refs: readonly Ref[],
  ): Promise<Map<Key, Row>> {
    const wanted = new Map(refs.map(ref => [keyOf(ref), ref]))
    const missing = [...wanted].filter(([key]) => known.get(key) === undefined)
    const found = missing.length === 0 ? new Map<Key, Row>() : await read(missing.map(([, ref]) => ref))
    let bytes = 0
    for (const [key] of missing) {
      if (known.get(key) !== undefined) continue
      const row = found.get(key) ?? null
      known.set(key, row)
      bytes += row === null ? ABSENT_BYTES : sizeOf(row)
    }
    this.#grow(safeId, rows, bytes)
    const all = new Map<Key, Row>()
    for (const key of wanted.keys()) {
      const row = known.get(key) ?? null
      if (row !== null) all.set(key, row)
    }
    return all
  }

  #grow(safeId: string, rows: SafeRows, bytes: number): void {
    if (bytes === 0 || this.#safes.peek(safeId) !== rows) return
    rows.bytes += bytes
    // The cache determines the size of an entry only when it is set.
    this.#safes.delete(safeId)
    this.#safes.set(safeId, rows)
  }
}

/**
 * Exact numbers, below 2^53. Import ids are small, and ids of rows below 2^32. Those of a version of a file (ADR 52) are
 * below 2^24, because a file has at most 64 MiB and a row takes more than 4 bytes; there are at most 2^29 versions.
 */
const numberOf = ({ importId, id }: RowRef): number =>
  importId < FIRST_VERSION ? importId * 2 ** 32 + id : -(importId - FIRST_VERSION) * 2 ** 24 - id

const byNumber = <Row extends RowRef>(rows: readonly Row[]) => new Map(rows.map(row => [numberOf(row), row]))

const keyOfEntity = ({ importId, key }: EntityRef): string => `${importId} ${key}`

const sizeOfRelation = (row: StoredRelation): number => {
  const { subjectKey, predicate, objectKey, origin, validFrom, validTo, learnedOn } = row
  const texts = subjectKey.length + predicate.length + objectKey.length + lengthOf(origin)
  return ROW_BYTES + 2 * (texts + lengthOf(validFrom) + lengthOf(validTo) + lengthOf(learnedOn))
}

const sizeOfPassage = ({ entityKey, title, text, source, origin, document }: StoredPassage): number => {
  const texts = entityKey.length + title.length + text.length
  return ROW_BYTES + 2 * (texts + lengthOf(source) + lengthOf(origin) + lengthOf(document))
}

const sizeOfEntity = ({ key, name, type }: EntityRow): number =>
  ROW_BYTES + 2 * (2 * key.length + name.length + lengthOf(type))

const lengthOf = (text: string | null | undefined): number => text?.length ?? 0
