import type { Kysely } from 'kysely'
import type { EntityRow } from '../../graph/model.js'
import type { Schema } from '../database/schema.js'
import type { Database } from '../database.js'
import { ListQuery } from './list-query.js'
import type { ExportStore, WholePassage } from './store.js'

/** Passages read at once: a text may have 100,000 characters. */
const PAGE = 100

/** Reads what an export needs, from SQL. */
export class SqlExportStore implements ExportStore {
  readonly #db: Kysely<Schema>
  readonly #entities: ListQuery<EntityRow>

  constructor({ read: db }: Database) {
    this.#db = db
    this.#entities = new ListQuery(db, (imports = 0, keys = 0) =>
      db
        .selectFrom('entities')
        .where('safe_id', '=', '')
        .where('import_id', 'in', Array(imports).fill(0))
        .where('key', 'in', Array(keys).fill(''))
        .orderBy('import_id')
        .select(['import_id as importId', 'key', 'name', 'type'])
        .compile(),
    )
  }

  async *passages(safeId: string, importId: number): AsyncGenerator<WholePassage[]> {
    for (let last = 0; ; ) {
      const page = await this.#db
        .selectFrom('passages')
        .where('safe_id', '=', safeId)
        .where('import_id', '=', importId)
        .where('id', '>', last)
        .orderBy('id')
        .limit(PAGE)
        .select(['id', 'entity_key as entityKey', 'title', 'text', 'source', 'seq', 'time'])
        .execute()
      if (page.length > 0) yield page
      if (page.length < PAGE) return
      last = page.at(-1)?.id ?? last
    }
  }

  entities(safeId: string, importIds: readonly number[], keys: readonly string[]): Promise<EntityRow[]> {
    return this.#entities.rows(safeId, importIds, keys)
  }
}
