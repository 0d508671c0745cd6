import { StringsBuilder, TripleTable, Uint32List } from '../../../engine/graph/index.js'
import { normalForm } from '../../../platform/common/normal-form.js'

/**
 * Maximum bytes for the names, predicates and types of a file: a quarter of a million things with names of twenty letters.
 * Beyond them the memory is cleared: some merges are missed, and some rows are written twice, which is harmless.
 */
const REMEMBERED_BYTES = 32 * 1024 ** 2
/** Maximum relations remembered, and maximum names of things with an id. */
const REMEMBERED_TRIPLES = 50_000

/** Initial capacity of lists: most files are small. */
const SMALL = 16

const EXAMPLES = 3
const EXAMPLE_CHARACTERS = 100

/** Things of a file merged because their names differ only in case, accents or form. */
export interface MergedNames {
  /** The number of things with such names. */
  count: number
  /** The first three, as two names each. */
  examples: string[][]
}

/** The state of a thing: flags in the lowest bits; the others are the latest type. */
const WRITTEN = 1
const NAMED = 2
const COUNTED = 4
const TYPE = 8

/**
 * The latest statements of a file's records, as numbers of texts, so that repeated ones are written once. Its memory
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

  /** Called before each record, because the memory may be cleared: numbers of things are valid until then. */
  begin(): void {
    if (this.#bytes > this.#rememberedBytes) this.#forget()
  }

  /** The thing with this key that a record mentions by this name. */
  thing(key: string, name: string): number {
    const known = this.#texts.find(name)
    const thing = known < 0 ? -1 : this.#keyOf.at(known) - 1
    if (thing < 0) return this.#add(key, name)
    if (known + 1 !== this.#firstOf.at(thing)) this.#compare(thing, name)
    return thing
  }

  /** Whether the thing is new and must be written. Returns true once. */
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

  /** Whether the type differs from the one stated last. */
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

  /** A name not seen before; the thing may have another name. */
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

/** A name as people see it: spaces, invisible characters and its encoding make no difference. */
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
