import type { CompiledQuery, Kysely } from 'kysely'
import type { Schema } from '../../../platform/storage/schema.js'

/**
 * A SELECT over a list of any length (`in (…)`). Building and compiling such a statement costs several times
 * as much as running it, so it is compiled for lengths 1, 2, 4, 8 … only, and lists are padded by repeating
 * their last item.
 */
export class ListQuery<Row> {
  readonly #db: Kysely<Schema>
  readonly #compile: (length: number) => CompiledQuery<Row>
  readonly #compiled = new Map<number, CompiledQuery<Row>>()

  /** `compile` builds the statement for a list of this length; its own parameters are placeholders. */
  constructor(db: Kysely<Schema>, compile: (length: number) => CompiledQuery<Row>) {
    this.#db = db
    this.#compile = compile
  }

  /** The rows for `first` followed by the list. Items that are arrays are several parameters. */
  async rows(first: string, list: readonly unknown[]): Promise<Row[]> {
    if (list.length === 0) return []
    const filled = fill(list)
    const compiled = this.#compiled.get(filled.length) ?? this.#compile(filled.length)
    this.#compiled.set(filled.length, compiled)
    const { rows } = await this.#db.executeQuery<Row>({ ...compiled, parameters: [first, ...filled.flat()] })
    return rows
  }
}

function fill(list: readonly unknown[]): unknown[] {
  const length = 2 ** Math.ceil(Math.log2(list.length))
  return [...list, ...Array(length - list.length).fill(list.at(-1))]
}
