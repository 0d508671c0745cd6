import { type TextIndex, TextIndexBuilder } from './bm25.js'
import { type Dictionary, DictionaryBuilder } from './dictionary.js'
import { type Groups, groupByKey } from './groups.js'
import type { AliasRow, EntityRow, GraphSource, PassageRow, RelationRow, RowRef } from './model.js'
import { Pause } from './pause.js'
import { hashOf, StringTable } from './string-table.js'
import { normalizeName, spacedPredicate, terms } from './text.js'
import { TripleTable } from './triple-table.js'
import { Uint32List } from './uint32-list.js'

/**
 * All that a question needs of one Safe, in typed arrays; built once and never changed. Entities, facts and passages
 * are numbers here; of facts and passages only the rows are known, their text stays in the database.
 */
export interface SafeIndex {
  /** Keys of the entities; an entity's number is its key's. */
  entities: StringTable
  /** Names of types, folded; number 0 stands for none. */
  types: StringTable
  typeOf: Uint32Array
  dictionary: Dictionary
  /** Over names and aliases, each a text; `nameOf` says whose. */
  names: TextIndex
  nameOf: Uint32Array
  /** Predicates as phrases ("works for"), whatever their spelling in the files. */
  predicates: StringTable
  /** Stems of all words of predicates. */
  predicateWords: StringTable
  facts: Facts
  /** Entity → facts of which it is the subject, the object. */
  asSubject: Groups
  asObject: Groups
  passages: Passages
  /** Entity → passages about it. */
  about: Groups
  /** Over the passages. */
  text: TextIndex
  /** Memory of the index, about. */
  byteLength: number
}

/** Distinct relations, with every row that says so. */
export interface Facts {
  count: number
  subject: Uint32Array
  predicate: Uint32Array
  object: Uint32Array
  rowsOf(fact: number): RowRef[]
}

export interface Passages {
  count: number
  entity: Uint32Array
  rowsOf(passage: number): RowRef[]
}

/** Builds the index of a Safe from its rows; other requests get their turn about every 10 ms. */
export async function buildIndex(source: GraphSource): Promise<SafeIndex> {
  const builder = new IndexBuilder()
  const pause = new Pause()
  await each(source.entities(), pause, row => builder.addEntity(row))
  await each(source.aliases(), pause, row => builder.addAlias(row))
  await each(source.relations(), pause, row => builder.addRelation(row))
  await each(source.passages(), pause, row => builder.addPassage(row))
  return builder.build(pause)
}

async function each<Row>(pages: AsyncIterable<Row[]>, pause: Pause, add: (row: Row) => void): Promise<void> {
  for await (const rows of pages) {
    for (const row of rows) {
      add(row)
      if (pause.due()) await pause.rest()
    }
  }
}

class IndexBuilder {
  readonly #entities = new StringTable()
  readonly #types = new StringTable()
  readonly #typeOf = new Uint32List()
  readonly #dictionary = new DictionaryBuilder()
  readonly #names = new TextIndexBuilder()
  readonly #nameOf = new Uint32List()
  readonly #predicates = new StringTable()
  readonly #facts = new TripleTable()
  readonly #factRows = new RowList()
  /** Entity and two hashes of the text: equal passages of several imports are one. */
  readonly #passages = new TripleTable()
  readonly #passageRows = new RowList()
  readonly #text = new TextIndexBuilder()

  constructor() {
    this.#types.add('')
  }

  addEntity(row: EntityRow): void {
    const entity = this.#numberOf(row.key)
    if (row.type !== null && this.#typeOf.at(entity) === 0) {
      this.#typeOf.set(entity, this.#types.add(normalizeName(row.type)))
    }
    this.#addName(entity, row.name)
    if (normalizeName(row.name) !== row.key) this.#addName(entity, row.key)
  }

  addAlias(row: AliasRow): void {
    const entity = this.#known(row.entityKey)
    if (this.#dictionary.addAlias(entity, row.alias)) this.#addNameText(entity, row.alias)
  }

  addRelation(row: RelationRow): void {
    const predicate = this.#predicates.add(normalizeName(spacedPredicate(row.predicate)))
    const fact = this.#facts.add(this.#known(row.subjectKey), predicate, this.#known(row.objectKey))
    this.#factRows.add(fact, row)
  }

  addPassage(row: PassageRow): void {
    const text = `${row.title}\n${row.text}`
    const { size } = this.#passages
    const passage = this.#passages.add(this.#known(row.entityKey), hashOf(text), hashOf(text, 0x1b873593))
    this.#passageRows.add(passage, row)
    if (passage === size) this.#text.add(row.title, row.text)
  }

  async build(pause: Pause): Promise<SafeIndex> {
    const parts = {
      entities: this.#entities,
      types: this.#types,
      typeOf: this.#typeOf.toArray(),
      dictionary: await this.#dictionary.build(pause),
      names: await this.#names.build(pause),
      nameOf: this.#nameOf.toArray(),
      predicates: this.#predicates,
      predicateWords: wordsOf(this.#predicates),
      ...(await this.#buildFacts(pause)),
      ...(await this.#buildPassages(pause)),
      text: await this.#text.build(pause),
    }
    return { ...parts, byteLength: byteLengthOf(parts) }
  }

  async #buildFacts(pause: Pause): Promise<Pick<SafeIndex, 'facts' | 'asSubject' | 'asObject'>> {
    const subject = this.#facts.first.toArray()
    const object = this.#facts.third.toArray()
    const rows = this.#factRows
    return {
      facts: {
        count: subject.length,
        subject,
        predicate: this.#facts.second.toArray(),
        object,
        rowsOf: fact => rows.of(fact),
      },
      asSubject: await groupByKey(subject, this.#entities.size, pause),
      asObject: await groupByKey(object, this.#entities.size, pause),
    }
  }

  async #buildPassages(pause: Pause): Promise<Pick<SafeIndex, 'passages' | 'about'>> {
    const entity = this.#passages.first.toArray()
    const rows = this.#passageRows
    return {
      passages: { count: entity.length, entity, rowsOf: passage => rows.of(passage) },
      about: await groupByKey(entity, this.#entities.size, pause),
    }
  }

  #numberOf(key: string): number {
    const entity = this.#entities.add(key)
    if (entity === this.#typeOf.length) this.#typeOf.push(0)
    return entity
  }

  /** The entity, called by its key if no row has named it: the end of a dangling relation. */
  #known(key: string): number {
    const { size } = this.#entities
    const entity = this.#numberOf(key)
    if (entity === size) this.#addName(entity, key)
    return entity
  }

  #addName(entity: number, name: string): void {
    if (this.#dictionary.addName(entity, name)) this.#addNameText(entity, name)
  }

  #addNameText(entity: number, name: string): void {
    this.#names.add('', name)
    this.#nameOf.push(entity)
  }
}

/** Rows that say the same, chained: 12 bytes a row and 4 a thing. */
class RowList {
  readonly #importId = new Uint32List()
  readonly #id = new Uint32List()
  /** The row before it of the same thing + 1; 0 = none. */
  readonly #previous = new Uint32List()
  readonly #latest = new Uint32List()

  add(thing: number, row: RowRef): void {
    const isNew = thing === this.#latest.length
    this.#importId.push(row.importId)
    this.#id.push(row.id)
    this.#previous.push(isNew ? 0 : this.#latest.at(thing))
    if (isNew) this.#latest.push(this.#id.length)
    else this.#latest.set(thing, this.#id.length)
  }

  /** In order of arrival. */
  of(thing: number): RowRef[] {
    const rows: RowRef[] = []
    for (let row = this.#latest.at(thing); row > 0; row = this.#previous.at(row - 1)) {
      rows.push({ importId: this.#importId.at(row - 1), id: this.#id.at(row - 1) })
    }
    return rows.reverse()
  }
}

function wordsOf(predicates: StringTable): StringTable {
  const stems = new StringTable()
  for (let at = 0; at < predicates.size; at++) for (const term of terms(predicates.at(at))) stems.add(term)
  return stems
}

function byteLengthOf(parts: Omit<SafeIndex, 'byteLength'>): number {
  const { entities, types, dictionary, names, predicates, predicateWords, text, facts, passages } = parts
  const counted = [entities, types, dictionary, names, predicates, predicateWords, text]
  const perEntity = 4 + 3 * 4
  const perFact = 3 * 4 + 2 * 4 + 16
  const perPassage = 2 * 4 + 16
  return (
    counted.reduce((sum, part) => sum + part.byteLength, 0) +
    entities.size * perEntity +
    parts.nameOf.byteLength +
    facts.count * perFact +
    passages.count * perPassage
  )
}
