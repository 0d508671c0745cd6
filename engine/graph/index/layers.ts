import { hashOf, newHashKey, ownHashKey } from '../collections/hash.js'
import { memoize } from '../collections/memoize.js'
import type { Pause } from '../collections/pause.js'
import { StringsBuilder } from '../collections/strings.js'
import { Uint32List } from '../collections/uint32-list.js'
import type {
  AliasRow,
  EntityRow,
  FactTimes,
  GraphSource,
  IdentityRow,
  PassageRow,
  RelationRow,
} from '../model.js'
import { Lexicon, WordReader } from '../text/lexicon.js'
import { normalizeName } from '../text/text.js'

/** Numbers of a piece; a large import consists of several. */
const MAX_NUMBERS = 1 << 20

/** Rows of one import as numbers. */
interface Piece {
  importId: number
  numbers: Uint32Array
}

/** Rows of one kind as numbers, by import. Rows of an import arrive together. */
class Pieces {
  /** Bytes of memory. */
  byteLength = 0
  #pieces: Piece[] = []
  #next = new Uint32List()
  #importId = 0

  /** The list to which the numbers of a row of this import are to be added. */
  of(importId: number): Uint32List {
    if (importId !== this.#importId || this.#next.length >= MAX_NUMBERS) this.#cut()
    this.#importId = importId
    return this.#next
  }

  /** All rows of some imports have been added. */
  end(): void {
    this.#cut()
    this.#next = new Uint32List()
    this.#pieces.sort((a, b) => a.importId - b.importId)
  }

  /** Drops the rows of all other imports. */
  keep(isKept: (importId: number) => boolean): void {
    this.#pieces = this.#pieces.filter(({ importId, numbers }) => {
      if (isKept(importId)) return true
      this.byteLength -= numbers.byteLength
      return false
    })
  }

  [Symbol.iterator](): Iterator<Piece> {
    return this.#pieces.values()
  }

  #cut(): void {
    if (this.#next.length === 0) return
    const numbers = this.#next.toArray()
    this.#next.length = 0
    this.#pieces.push({ importId: this.#importId, numbers })
    this.byteLength += numbers.byteLength
  }
}

/** For a second hash of passages. */
const otherKey = newHashKey()

/** Keys and predicates remembered while relations are read; most repeat. */
const REPEATED = { most: 4096, longest: Number.POSITIVE_INFINITY }

/** Numbers of a passage before its words. */
export const PASSAGE_HEAD = 8

/**
 * A Safe's rows as numbers: what an index is built from, as far as it does not depend on the other rows (ADR 17). Rows
 * of an import never change, so a later build reads only those of new imports.
 */
export class Layers {
  /** Keys, names, aliases, types and predicates. */
  readonly texts = new StringsBuilder()
  readonly lexicon = new Lexicon()
  /** Key, name, type + 1 or 0, and 1 if the name differs from the key. */
  readonly entities = new Pieces()
  /** Key of the entity, and alias. */
  readonly aliases = new Pieces()
  /** Key, and the key that it is the same as. */
  readonly identities = new Pieces()
  /** Id, key of the subject, predicate × 2 + (1 with dates), key of the object; validFrom, validTo, learnedOn, each + 1 or 0. */
  readonly relations = new Pieces()
  /**
   * Id, key of the entity, two hashes of what is written in it, the two halves of its time (a NaN if it has none), the
   * words of its title and of its text, counted and then one by one.
   */
  readonly passages = new Pieces()
  readonly #time = new Float64Array(1)
  readonly #halves = new Uint32Array(this.#time.buffer)
  readonly #words = new Uint32List()

  /** Bytes of memory. */
  get byteLength(): number {
    return [this.texts, this.lexicon, ...this.#all].reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /** Distinct strings, including those of dropped rows. */
  get strings(): number {
    return this.texts.size + this.lexicon.size
  }

  /** Adds the rows of further imports. */
  async read(source: GraphSource, pause: Pause): Promise<void> {
    const reader = new WordReader(this.lexicon)
    const repeated = memoize(text => this.texts.add(text), REPEATED)
    await each(source.identities(), pause, row => this.#addIdentity(row))
    await each(source.entities(), pause, row => this.#addEntity(row))
    await each(source.aliases(), pause, row => this.#addAlias(row))
    await each(source.relations(), pause, row => this.#addRelation(row, repeated))
    await each(source.passages(), pause, row => this.#addPassage(row, reader))
    for (const pieces of this.#all) pieces.end()
  }

  /** Drops the rows of all other imports. */
  keep(isKept: (importId: number) => boolean): void {
    for (const pieces of this.#all) pieces.keep(isKept)
  }

  /** The time of a passage, or NaN. */
  timeOf(passages: Uint32Array, at: number): number {
    this.#halves[0] = passages[at + 4] ?? 0
    this.#halves[1] = passages[at + 5] ?? 0
    return this.#time[0] ?? Number.NaN
  }

  /** The dates of a relation that begins at this place; null if it has none. */
  datesOf(relations: Uint32Array, at: number): FactTimes | null {
    if (((relations[at + 2] ?? 0) & 1) === 0) return null
    const date = (place: number) => {
      const text = relations[at + place] ?? 0
      return text === 0 ? null : this.texts.at(text - 1)
    }
    return { validFrom: date(4), validTo: date(5), learnedOn: date(6) }
  }

  get #all(): Pieces[] {
    return [this.entities, this.aliases, this.identities, this.relations, this.passages]
  }

  #addEntity({ importId, key, name, type }: EntityRow): void {
    const typeText = type === null ? 0 : this.texts.add(normalizeName(type)) + 1
    const isStated = Number(normalizeName(name) !== key)
    this.entities.of(importId).pushAll([this.texts.add(key), this.texts.add(name), typeText, isStated])
  }

  #addAlias({ importId, entityKey, alias }: AliasRow): void {
    this.aliases.of(importId).pushAll([this.texts.add(entityKey), this.texts.add(alias)])
  }

  #addIdentity({ importId, key, sameAs }: IdentityRow): void {
    this.identities.of(importId).pushAll([this.texts.add(key), this.texts.add(sameAs)])
  }

  #addRelation(
    { importId, id, subjectKey, predicate, objectKey, validFrom, validTo, learnedOn }: RelationRow,
    numberOf: (text: string) => number,
  ): void {
    const to = this.relations.of(importId)
    const isDated = validFrom || validTo || learnedOn
    const written = numberOf(predicate) * 2 + (isDated ? 1 : 0)
    to.pushAll([id, numberOf(subjectKey), written, numberOf(objectKey)])
    if (!isDated) return
    for (const date of [validFrom, validTo, learnedOn]) to.push(date ? this.texts.add(date) + 1 : 0)
  }

  #addPassage({ importId, id, entityKey, title, text, time }: PassageRow, reader: WordReader): void {
    const to = this.passages.of(importId)
    const written = `${time ?? ''}\n${title}\n${text}`
    const hashes = [hashOf(written, ownHashKey), hashOf(written, otherKey)]
    this.#time[0] = time ?? Number.NaN
    this.#words.length = 0
    const ofTitle = reader.read(title, this.#words)
    const ofText = reader.read(text, this.#words)
    to.pushAll([id, this.texts.add(entityKey), ...hashes, ...this.#halves, ofTitle, ofText])
    for (let at = 0; at < this.#words.length; at++) to.push(this.#words.at(at))
  }
}

async function each<Row>(pages: AsyncIterable<Row[]>, pause: Pause, add: (row: Row) => void): Promise<void> {
  for await (const rows of pages) {
    for (const row of rows) {
      add(row)
      if (pause.due()) await pause.rest()
    }
  }
}
