import type { CompiledQuery, Kysely } from 'kysely'
import type { Schema } from '../../storage/schema.js'

/**
 * A SELECT over lists of any length (`in (…)`). Building and compiling such a statement costs several times
 * as much as running it, so it is compiled for lengths 1, 2, 4, 8 … only, and lists are padded by repeating
 * their last item.
 */
export class ListQuery<Row> {
  readonly #db: Kysely<Schema>
  readonly #compile: (...lengths: number[]) => CompiledQuery<Row>
  readonly #compiled = new Map<string, CompiledQuery<Row>>()

  /** `compile` builds the statement for lists of these lengths; its own parameters are placeholders. */
  constructor(db: Kysely<Schema>, compile: (...lengths: number[]) => CompiledQuery<Row>) {
    this.#db = db
    this.#compile = compile
  }

  /**
   * The rows for `first` followed by the lists, in the order of the statement. Items that are arrays are
   * several parameters.
   */
  async rows(first: string, ...lists: (readonly unknown[])[]): Promise<Row[]> {
    if (lists.some(list => list.length === 0)) return []
    const filled = lists.map(fill)
    const parameters = [first, ...filled.flat(2)]
    const compiled = this.#statement(filled.map(list => list.length))
    const { rows } = await this.#db.executeQuery<Row>({ ...compiled, parameters })
    return rows
  }

  #statement(lengths: number[]): CompiledQuery<Row> {
    const name = lengths.join()
    const known = this.#compiled.get(name)
    if (known) return known
    const compiled = this.#compile(...lengths)
    this.#compiled.set(name, compiled)
    return compiled
  }
}

function fill(list: readonly unknown[]): unknown[] {
  const length = 2 ** Math.ceil(Math.log2(list.length))
  return [...list, ...Array(length - list.length).fill(list.at(-1))]
}
