import type { CompiledQuery } from 'kysely'
import type { Db } from '../platform/storage/schema.js'

interface Compilable<Row> {
  compile(): CompiledQuery<Row>
}

/** Statements that are compiled once, because compiling would be most of the cost of a row. */
export class CompiledStatements {
  readonly db: Db
  readonly #compiled = new Map<string, CompiledQuery<unknown>>()

  constructor(db: Db) {
    this.db = db
  }

  /** The statement of this name. Its parameters are placeholders. */
  once<Row>(name: string, build: () => Compilable<Row>): CompiledQuery<Row> {
    const compiled = this.#compiled.get(name) ?? build().compile()
    this.#compiled.set(name, compiled)
    return compiled as CompiledQuery<Row>
  }
}

/** Rows in parts of these sizes, so that few statements are enough for any number. The last size is 1. */
export function* inSizes<Row>(rows: readonly Row[], sizes: readonly number[]): Generator<Row[]> {
  let at = 0
  for (const size of sizes) for (; rows.length - at >= size; at += size) yield rows.slice(at, at + size)
}

/**
 * A SELECT over a list of any length (`in (…)`), compiled for lengths 1, 2, 4, 8 … only. Lists are padded by repeating
 * their last item.
 */
export class ListQuery<Row> extends CompiledStatements {
  readonly #build: (length: number) => Compilable<Row>

  /** `build` makes the statement for a list of this length. */
  constructor(db: Db, build: (length: number) => Compilable<Row>) {
    super(db)
    this.#build = build
  }

  /** The rows for `first` followed by the list. Items that are arrays are several parameters. */
  async rows(first: readonly unknown[], list: readonly unknown[], db = this.db): Promise<Row[]> {
    if (list.length === 0) return []
    const length = 2 ** Math.ceil(Math.log2(list.length))
    const filled = [...list, ...Array(length - list.length).fill(list.at(-1))]
    const compiled = this.once(`${length}`, () => this.#build(length))
    return (await db.executeQuery<Row>({ ...compiled, parameters: [...first, ...filled.flat()] })).rows
  }
}
