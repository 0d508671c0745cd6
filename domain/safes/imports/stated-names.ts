import { StringsBuilder, TripleTable, Uint32List } from '../../../engine/graph/index.js'
import { normalForm } from '../../../platform/common/normal-form.js'

/**
 * Bytes for the names, predicates and types of a file: a quarter of a million things whose names have twenty letters.
 * Beyond them everything is forgotten: some merges are missed, and some rows are written twice, which is harmless.
 */
const REMEMBERED_BYTES = 32 * 1024 ** 2
/** Relations, and names of things that have an id, that are remembered. */
const REMEMBERED_TRIPLES = 50_000

/** Numbers for which lists have room at first: most files are small. */
const SMALL = 16

const EXAMPLES = 3
const EXAMPLE_CHARACTERS = 100

/** Things of a file that have become one because their names differ only in case, accents or form. */
export interface MergedNames {
  /** How many things have such names. */
  count: number
  /** The first three: two names of each. */
  examples: string[][]
}

/** What was done with a thing: the lowest bits of its state; the others are the latest type. */
const WRITTEN = 1
const NAMED = 2
const COUNTED = 4
const TYPE = 8

/**
 * What the records of a file have stated lately, as numbers of texts, so that what repeats is written once. Its memory
 * does not grow with the file.
 */
export class StatedNames {
  readonly merged: MergedNames = { count: 0, examples: [] }
  readonly #rememberedBytes: number
  #texts = new StringsBuilder()
  /** Name → key of the thing + 1. */
  #keyOf = new Uint32List(SMALL)
  /** Key → the first name + 1. */
  #firstOf = new Uint32List(SMALL)
  #stateOf = new Uint32List(SMALL)
  #relations = new TripleTable()
  #namings = new TripleTable()

  constructor(rememberedBytes = REMEMBERED_BYTES) {
    this.#rememberedBytes = rememberedBytes
  }

  /** Before each record, because everything may be forgotten: numbers of things are valid until then. */
  begin(): void {
    if (this.#bytes > this.#rememberedBytes) this.#forget()
  }

  /** The thing that a record mentions by this name, which has this key. */
  thing(key: string, name: string): number {
    const known = this.#texts.find(name)
    const thing = known < 0 ? -1 : this.#keyOf.at(known) - 1
    if (thing < 0) return this.#add(key, name)
    if (known + 1 !== this.#firstOf.at(thing)) this.#compare(thing, name)
    return thing
  }

  /** Whether the thing is to be written because it is new. Returns true once. */
  isNew(thing: number): boolean {
    return this.#mark(thing, WRITTEN)
  }

  /** Whether no name was stated for the thing before. Returns true once. */
  isUnnamed(thing: number): boolean {
    return this.#mark(thing, NAMED)
  }

  /** Whether this name of the thing was not stated before. */
  isNewName(thing: number, name: string): boolean {
    if (this.#namings.size >= REMEMBERED_TRIPLES) this.#namings = new TripleTable()
    const { size } = this.#namings
    return this.#namings.add(thing, this.#texts.add(name), 0) === size
  }

  /** Whether the type that was stated last is another one. */
  isNewType(thing: number, type: string): boolean {
    const state = this.#stateOf.at(thing)
    const number = this.#texts.add(type) + 1
    if (Math.floor(state / TYPE) === number) return false
    this.#stateOf.put(thing, number * TYPE + (state % TYPE))
    return true
  }

  /** Whether the relation was not stated before. */
  isNewRelation(subject: number, predicate: string, object: number, times: string): boolean {
    if (this.#relations.size >= REMEMBERED_TRIPLES) this.#relations = new TripleTable()
    const { size } = this.#relations
    const variant = times === '' ? 0 : this.#texts.add(times) + 1
    return this.#relations.add(subject, this.#texts.add(predicate), object, variant) === size
  }

  get #bytes(): number {
    const lists = this.#keyOf.byteLength + this.#firstOf.byteLength + this.#stateOf.byteLength
    return this.#texts.byteLength + lists
  }

  #forget(): void {
    this.#texts = new StringsBuilder()
    this.#keyOf = new Uint32List(SMALL)
    this.#firstOf = new Uint32List(SMALL)
    this.#stateOf = new Uint32List(SMALL)
    this.#relations = new TripleTable()
    this.#namings = new TripleTable()
  }

  /** A name that was not met before; another one of the thing may have been. */
  #add(key: string, name: string): number {
    const thing = this.#texts.add(key)
    const number = name === key ? thing : this.#texts.add(name)
    this.#keyOf.put(number, thing + 1)
    if (this.#firstOf.at(thing) === 0) this.#firstOf.put(thing, number + 1)
    else this.#compare(thing, name)
    return thing
  }

  #mark(thing: number, what: number): boolean {
    const state = this.#stateOf.at(thing)
    if ((state & what) !== 0) return false
    this.#stateOf.put(thing, state | what)
    return true
  }

  #compare(thing: number, name: string): void {
    if ((this.#stateOf.at(thing) & COUNTED) !== 0) return
    const names = [seen(this.#texts.at(this.#firstOf.at(thing) - 1)), seen(name)]
    if (names[0] === names[1]) return
    this.#mark(thing, COUNTED)
    this.merged.count++
    if (this.merged.examples.length < EXAMPLES) this.merged.examples.push(names.map(beginningOf))
  }
}

/** A name as people see it: blanks, invisible characters and the way it is encoded make no other name. */
function seen(name: string): string {
  return normalForm(name, 'NFC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

function beginningOf(name: string): string {
  if (name.length <= EXAMPLE_CHARACTERS) return name
  return `${name.slice(0, EXAMPLE_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`
}
