import { type Kysely, sql } from 'kysely'
import type { Database } from '../../../platform/storage/database.js'
import type { Schema } from '../../../platform/storage/schema.js'
import { FIRST_VERSION, NO_DOCUMENTS } from './types.js'

/** A document that a change brought. */
export interface ChangedDocument {
  path: string
  title: string
}

/** A statement that was removed: a fact as subject, predicate and object, or a passage. */
export interface RecentlyRemoved {
  kind: 'fact' | 'passage'
  shown: readonly string[]
  removedAt: number
}

/** What changed last in a Safe. */
export class ChangeStore {
  readonly #db: Kysely<Schema>

  constructor({ read: db }: Pick<Database, 'read'>) {
    this.#db = db
  }

  /** The imports that became visible last, runs of synced folders included, the latest first. */
  imports(safeId: string, limit: number) {
    return this.#db
      .selectFrom('imports')
      .where('safe_id', '=', safeId)
      .where('status', '=', 'committed')
      .orderBy('id', 'desc')
      .limit(limit)
      .select(['id', 'source', 'format', 'report_json', 'created_at', 'committed_at'])
      .execute()
  }

  /** The first documents that an import brought, or a run of this synced folder. */
  documents(
    safeId: string,
    importId: number,
    folder: number | null,
    limit: number,
  ): Promise<ChangedDocument[]> {
    if (folder === null)
      return this.#db
        .selectFrom('documents')
        .where('safe_id', '=', safeId)
        .where('import_id', '=', importId)
        .where('kind', 'not in', NO_DOCUMENTS)
        .orderBy('id')
        .limit(limit)
        .select(['path', 'title'])
        .execute()
    return this.#db
      .selectFrom('synced_files as f')
      .innerJoin('documents as d', join =>
        join.onRef('d.safe_id', '=', 'f.safe_id').onRef('d.import_id', '=', 'f.id'),
      )
      .where('f.safe_id', '=', safeId)
      .where('f.folder_id', '=', folder)
      .where('f.from_run', '=', importId)
      .where('f.id', '>=', FIRST_VERSION)
      .where('d.kind', 'not in', NO_DOCUMENTS)
      .limit(limit)
      .select(['d.path', 'd.title'])
      .execute()
  }

  /** What was removed last, the latest first. */
  async removed(safeId: string, limit: number): Promise<RecentlyRemoved[]> {
    const rows = await this.#db
      .selectFrom('removed_statements')
      .where('safe_id', '=', safeId)
      .orderBy('removed_at', 'desc')
      .limit(sql.lit(limit))
      .select(['kind', 'shown_json', 'removed_at'])
      .execute()
    return rows.map(({ kind, shown_json, removed_at }) => ({
      kind: kind === 'fact' ? 'fact' : 'passage',
      shown: JSON.parse(shown_json),
      removedAt: Number(removed_at),
    }))
  }
}
