import { type GraphRecord, normalizeName } from '../../../engine/graph/index.js'
import {
  emptyBatch,
  MAX_ROWS,
  type NewEntity,
  type NewIdentity,
  type NewRelation,
  type RowBatch,
} from '../stores/types.js'
import { DocumentWriter } from './document-writer.js'
import { HeldThings } from './held-things.js'
import { type MergedNames, StatedNames } from './stated-names.js'

/** Maximum rows per record: a relation and its two entities. */
const ROWS_PER_RECORD = 3

const NOTHING = { rows: 0, text: 0 }

/** Maximum characters of text in a batch, regardless of its number of rows. */
const MAX_BATCH_TEXT = 250_000

/**
 * Turns the records of one import into rows, numbers passages and relations, and collects them into batches
 * that fit into one transaction. Its memory does not grow with the file.
 */
export class RowCollector {
  /** Receives the documents whose records are added. */
  readonly documents = new DocumentWriter()
  #batch: RowBatch = emptyBatch()
  readonly #things: HeldThings
  /** Things held for the next batches. Nothing is added before they are taken: no transaction writes a row twice. */
  #ready: NewEntity[] = []
  #isEnded = false
  #identities = new Map<string, NewIdentity>()
  #rows = 0
  #text = 0
  #passages = 0
  #relations = 0
  readonly #stated: StatedNames
  readonly #holds: boolean

  /** @param held maximum things held to be written together; 0: they are part of each batch */
  constructor(held = 0, stated = new StatedNames()) {
    this.#holds = held > 0
    this.#things = new HeldThings(held)
    this.#stated = stated
  }

  get counts(): { relations: number; passages: number } {
    return { relations: this.#relations, passages: this.#passages }
  }

  /** Things merged by their names so far. */
  get mergedNames(): MergedNames {
    return this.#stated.merged
  }

  /** Whether to write the batch before adding another record. */
  get isFull(): boolean {
    if (this.#ready.length > 0 && !this.#isEnded) return true
    return this.isFullWith(NOTHING) || (this.#holds && this.#things.isFull)
  }

  /** The same for a transaction that also writes other rows. */
  isFullWith({ rows, text }: { rows: number; text: number }): boolean {
    const size = this.size
    return size.rows + rows + ROWS_PER_RECORD > MAX_ROWS || size.text + text > MAX_BATCH_TEXT
  }

  /** The collected rows, and the characters of their texts. */
  get size(): { rows: number; text: number } {
    const { rows, text } = this.documents.size
    const things = this.#ready.length + (this.#holds ? 0 : this.#things.size)
    return { rows: this.#rows + rows + things, text: this.#text + text }
  }

  /** Nothing more is added, and nothing is held. */
  end(): void {
    this.#isEnded = true
    this.#readyThings()
  }

  /** Returns the collected rows, or null if there are none, and begins a new batch. */
  take(): RowBatch | null {
    if (!this.#holds || this.#things.isFull) this.#readyThings()
    const { rows } = this.size
    if (rows === 0) return null
    const others = rows - this.#ready.length
    const batch = {
      ...this.#batch,
      entities: this.#ready.splice(0, MAX_ROWS - others),
      identities: [...this.#identities.values()],
      ...this.documents.take(),
    }
    this.#batch = emptyBatch()
    this.#identities.clear()
    this.#rows = 0
    this.#text = 0
    return batch
  }

  /** Adds the rows of a record at this line of the current document. */
  add(record: GraphRecord, line = 1): void {
    this.#stated.begin()
    switch (record.kind) {
      case 'entity':
        this.#addEntity(normalizeName(record.id), record)
        break
      case 'alias':
        this.#push('aliases', { entityKey: this.#imply(record.entity).key, alias: record.alias })
        break
      case 'same':
        this.#addIdentity({ key: normalizeName(record.entity), sameAs: this.#imply(record.sameAs).key })
        break
      case 'passage':
        this.#addPassage(this.#imply(record.entity).key, record, record.line ?? line)
        break
      case 'relation':
        this.#addRelation(this.#imply(record.subject), this.#imply(record.object), record)
    }
  }

  /** The first stated name of an entity is kept; later ones become aliases. */
  #addEntity(key: string, record: Of<'entity'>) {
    const { id, name } = record
    const type = record.type ?? null
    const thing = this.#stated.thing(key, id)
    const isNew = this.#stated.isNew(thing)
    const isNewType = type !== null && this.#stated.isNewType(thing, type)
    const named = name !== id
    const isNewName = named && this.#stated.isNewName(thing, name)
    if (named && !this.#stated.isUnnamed(thing)) {
      if (isNewName) this.#push('aliases', { entityKey: key, alias: name })
      if (isNewType) this.#things.put({ key, name, type, named: false })
    } else if (named || isNew || isNewType) {
      this.#things.put({ key, name, type, named })
    }
  }

  #readyThings(): void {
    if (this.#ready.length === 0) this.#ready = this.#things.take()
  }

  #addIdentity(identity: NewIdentity) {
    if (!this.#identities.has(identity.key)) this.#rows++
    this.#identities.set(identity.key, identity)
  }

  #addPassage(entityKey: string, record: Of<'passage'>, line: number) {
    const documentId = this.documents.current
    const { title, text } = record
    this.#text += text.length
    this.#push('passages', {
      id: ++this.#passages,
      entityKey,
      title,
      text,
      source: record.source ?? null,
      seq: record.seq ?? null,
      time: record.time ?? null,
      documentId,
      line: documentId === null ? null : line,
    })
  }

  /** The same fact in another period, or learned on another day, is a separate row. */
  #addRelation(subject: StatedThing, object: StatedThing, record: Of<'relation'>) {
    const { predicate, validFrom = '', validTo = '', learnedOn = '' } = record
    const times = validFrom || validTo || learnedOn ? `${validFrom}/${validTo}/${learnedOn}` : ''
    if (!this.#stated.isNewRelation(subject.number, predicate, object.number, times)) return
    const id = ++this.#relations
    const row: NewRelation = { id, subjectKey: subject.key, predicate, objectKey: object.key }
    if (times !== '')
      Object.assign(row, {
        validFrom: validFrom || null,
        validTo: validTo || null,
        learnedOn: learnedOn || null,
      })
    this.#push('relations', row)
  }

  /** The thing that a record mentions. This creates it, with this name unless another is stated. */
  #imply(name: string): StatedThing {
    const key = normalizeName(name)
    const number = this.#stated.thing(key, name)
    if (this.#stated.isNew(number)) this.#things.put({ key, name, type: null, named: false })
    return { key, number }
  }

  #push<Table extends 'aliases' | 'passages' | 'relations'>(table: Table, row: RowBatch[Table][number]) {
    ;(this.#batch[table] as (typeof row)[]).push(row)
    this.#rows++
  }
}

interface StatedThing {
  key: string
  /** Its number in `StatedNames`. */
  number: number
}

type Of<Kind extends GraphRecord['kind']> = Extract<GraphRecord, { kind: Kind }>
