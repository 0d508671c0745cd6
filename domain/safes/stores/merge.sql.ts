import { setImmediate as otherRequests } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../../platform/storage/schema.js'
import { selectWhere, tables, updateWhere } from '../../../platform/storage/where.js'
import { Store } from '../../store.js'
import type { Counts, ImportReport } from '../safe.js'
import { inOrder, RELATION } from './graph-source.sql.js'
import { nextHash } from './import-effects.js'
import { deleteSomeRows, RowInserts } from './row-inserts.js'
import type { ImportRange, Merge, MergeLimits, RowBatch, StoredRelation } from './types.js'

const SAFES_AT_ONCE = 20
/** Import reports read at once. */
const REPORTS_AT_ONCE = 20

/** Merges the imports of Safes that have very many. Each method is one short transaction. */
export class MergeStore extends Store {
  readonly #inserts = new RowInserts(this.db)

  /** Some of the Safes with at least this many unmerged imports. */
  async withManyImports(imports: number): Promise<string[]> {
    const rows = await this.db
      .selectFrom('safes')
      .where('import_count', '>=', imports)
      .limit(SAFES_AT_ONCE)
      .select('id')
      .execute()
    return rows.map(({ id }) => id)
  }

  /**
   * Claims a Safe's oldest imports, or those that a dead process was merging. They can no longer be undone.
   * Null when there are too few, or another process holds the Safe at `now`.
   */
  async claim(safeId: string, limits: MergeLimits, now: number, until: number): Promise<Merge | null> {
    const claimed = await this.database.write(async trx => {
      const safe = await safeOf(trx, safeId)
      if (!safe || safe.merging_until > now) return null
      const resumed = safe.merging_through > safe.merged_through
      const through = resumed ? safe.merging_through : await lastToMerge(trx, safeId, safe, limits)
      if (through === null) return null
      const imports = await importsTo(trx, safeId, safe.merged_layer, safe.merged_through, through)
      const layer = safe.merged_layer || imports[0]?.id
      if (layer === undefined) return null
      await tables.change(trx, 'safes', { id: safeId }, { merging_through: through, merging_until: until })
      const singleValued = await selectWhere(trx, 'single_valued', { safe_id: safeId })
        .select('predicate')
        .execute()
      return { safe, imports, layer, through, singleValued }
    }, safeId)
    if (!claimed) return null
    const { safe, imports, layer, through, singleValued } = claimed
    const merged: Counts | null = safe.merged_json === null ? null : JSON.parse(safe.merged_json)
    // Runs of synced folders have no rows, and the versions of their files are not merged (ADR 52).
    const files = imports.filter(({ format }) => format !== 'sync')
    const ids = files.map(({ id }) => id).filter(id => merged === null || id !== layer)
    return {
      safeId,
      layer,
      from: Math.max(layer, safe.merged_through),
      through,
      sources: new Map(imports.map(({ id, source }) => [id, source])),
      times: new Map(imports.map(({ id, created_at }) => [id, created_at])),
      singleValued: new Set(singleValued.map(({ predicate }) => predicate)),
      counted: await this.#countsOf(safeId, ids, merged ?? { entities: 0, relations: 0, passages: 0 }),
      importCount: imports.filter(({ id }) => id > safe.merged_through).length,
      until,
    }
  }

  /** Adds up the counts of imports, a few reports at a time because each can hold bad lines. */
  async #countsOf(safeId: string, ids: readonly number[], more: Counts): Promise<Counts> {
    let sum = more
    for (let at = 0; at < ids.length; at += REPORTS_AT_ONCE) {
      const rows = await selectWhere(this.db, 'imports', { safe_id: safeId })
        .where('id', 'in', ids.slice(at, at + REPORTS_AT_ONCE))
        .select('report_json')
        .execute()
      for (const { report_json } of rows) sum = plus(sum, (JSON.parse(report_json) as ImportReport).counts)
      await otherRequests()
    }
    return sum
  }

  /** Relations of imports, in pages. */
  relations(safeId: string, range: ImportRange): AsyncIterable<StoredRelation[]> {
    const relations = selectWhere(this.db, 'relations', { safe_id: safeId }).select([...RELATION, 'origin'])
    return inOrder(relations, [range], { id: 'id' })
  }

  /**
   * Adds rows to the layer and holds the Safe until `until`. Entities replace those with the same key.
   * Returns false, having written nothing, when another process holds the Safe or the Safe was removed.
   */
  append(merge: Merge, rows: RowBatch, until: number): Promise<boolean> {
    const { safeId, layer } = merge
    return this.database.write(async trx => {
      if (!(await hold(trx, merge, { merging_until: until }))) return false
      await this.#inserts.put(trx, safeId, layer, rows.entities)
      await this.#inserts.insert(trx, safeId, layer, { ...rows, entities: [] })
      return true
    }, safeId)
  }

  /** Documents of imports, in pages. */
  documents(safeId: string, range: ImportRange): AsyncIterable<LayerDocument[]> {
    const documents = selectWhere(this.db, 'documents', { safe_id: safeId })
    const columns = ['import_id as importId', 'id', 'path', 'text_bytes as textBytes'] as const
    return inOrder(documents.select(columns), [range], { id: 'id' })
  }

  /** Copies documents into the layer under these ids. Returns false like `append`. */
  copyDocuments(
    merge: Merge,
    copies: readonly { document: LayerDocument; newId: number }[],
    until: number,
  ): Promise<boolean> {
    return this.database.write(async trx => {
      if (!(await hold(trx, merge, { merging_until: until }))) return false
      for (const { document, newId } of copies)
        await copyDocument(trx, merge.safeId, merge.layer, document, newId)
      return true
    }, merge.safeId)
  }

  /** Lets the layer replace all of these imports; `counts` are its totals. Returns false like `append`. */
  finish(merge: Merge, counts: Counts, now: number): Promise<boolean> {
    const { safeId, layer, through, counted, importCount } = merge
    return this.database.write(async trx => {
      const safe = await safeOf(trx, safeId)
      if (!safe) return false
      return hold(trx, merge, {
        version: safe.version + 1,
        content_hash: nextHash(safe.content_hash, `merge ${through}`),
        entities: safe.entities - counted.entities + counts.entities,
        relations: safe.relations - counted.relations + counts.relations,
        passages: safe.passages - counted.passages + counts.passages,
        import_count: safe.import_count - importCount,
        merged_layer: layer,
        merged_through: through,
        merged_at: now,
        merged_json: JSON.stringify(counts),
        merging_until: 0,
      })
    }, safeId)
  }

  /** Releases the Safe for other processes. */
  async release(merge: Merge): Promise<void> {
    await this.database.write(trx => hold(trx, merge, { merging_until: 0 }), merge.safeId)
  }

  /** Some Safes that still have rows of imports merged before `mergedBefore`, and those imports. */
  async merged(mergedBefore: number) {
    const rows = await this.db
      .selectFrom('safes')
      .where('merged_at', '>', sql.lit(0))
      .where('merged_at', '<=', mergedBefore)
      .whereRef('dropped_through', '<', 'merged_through')
      .limit(SAFES_AT_ONCE)
      .select(['id', 'merged_layer', 'merged_through', 'dropped_through'])
      .execute()
    return rows.map(row => {
      const from = Math.max(row.merged_layer, row.dropped_through) + 1
      return { safeId: row.id, imports: [from, row.merged_through] as const }
    })
  }

  /** From now on no answer uses an index that refers to these rows. False if more imports were merged in the meantime. */
  retire(safeId: string, [, through]: ImportRange): Promise<boolean> {
    return this.database.write(async trx => {
      return tables.change(trx, 'safes', { id: safeId, merged_through: through }, eb => ({
        readable_from: eb.ref('version'),
      }))
    }, safeId)
  }

  /** Drops at most `MAX_ROWS` of their rows. False when none are left, which is then recorded. */
  dropSome(safeId: string, imports: ImportRange): Promise<boolean> {
    return this.database.write(async trx => {
      if (await deleteSomeRows(trx, safeId, imports)) return true
      await updateWhere(trx, 'safes', { id: safeId })
        .set({ dropped_through: imports[1] })
        .where('dropped_through', '<', imports[1])
        .execute()
      return false
    })
  }
}

const safeOf = (trx: Db, safeId: string) => tables.find(trx, 'safes', { id: safeId })

/** Returns false when this process no longer holds the Safe. */
async function hold(trx: Db, merge: Merge, change: Record<string, unknown>): Promise<boolean> {
  return tables.change(
    trx,
    'safes',
    { id: merge.safeId, merging_through: merge.through, merging_until: merge.until },
    change,
  )
}

/** The last import to merge now. Those that may still be committed or restored come after it. */
async function lastToMerge(
  trx: Db,
  safeId: string,
  safe: { merged_through: number; import_count: number },
  { keep, most }: MergeLimits,
): Promise<number | null> {
  if (safe.import_count < keep + most) return null
  const imports = selectWhere(trx, 'imports', { safe_id: safeId }).where('id', '>', safe.merged_through)
  const oldest = await imports
    .where('status', '=', 'committed')
    .orderBy('id')
    .limit(most)
    .select('id')
    .execute()
  const waiting = await imports
    .where('lease_expires_at', '>', sql.lit(0))
    .where('status', '<>', 'committed')
    .orderBy('id')
    .select('id')
    .executeTakeFirst()
  const through = Math.min(oldest.at(-1)?.id ?? 0, (waiting?.id ?? Number.POSITIVE_INFINITY) - 1)
  return oldest.filter(({ id }) => id <= through).length > 1 ? through : null
}

/**
 * The layer, if there is one, and the committed imports to merge into it; otherwise the first of these
 * becomes the layer. Two statements, because with "or" in one SQLite reads all imports of the Safe.
 */
async function importsTo(trx: Db, safeId: string, layer: number, from: number, through: number) {
  const committed = selectWhere(trx, 'imports', { safe_id: safeId, status: 'committed' }).select([
    'id',
    'source',
    'format',
    'created_at',
  ])
  const first = layer > from ? [] : await committed.where('id', '=', layer).execute()
  const others = await committed.where('id', '>', from).where('id', '<=', through).orderBy('id').execute()
  return [...first, ...others]
}

const plus = (a: Counts, b: Counts): Counts => ({
  entities: a.entities + b.entities,
  relations: a.relations + b.relations,
  passages: a.passages + b.passages,
})

/** A document of an import that is being merged. */
export interface LayerDocument {
  importId: number
  id: number
  path: string
  textBytes: number
}

/** Copies a document into the layer, where it replaces the one with the same id, unless that is the same. */
async function copyDocument(
  trx: Db,
  safeId: string,
  layer: number,
  { importId, id }: LayerDocument,
  newId: number,
): Promise<void> {
  const old = sql`safe_id = ${safeId} and import_id = ${layer}`
  const { rows } = await sql`select 1 from documents o join documents n on n.safe_id = o.safe_id
    and n.content_hash = o.content_hash and n.kept = o.kept and n.title = o.title
    where o.safe_id = ${safeId} and o.import_id = ${layer} and o.id = ${newId}
      and n.import_id = ${importId} and n.id = ${id}`.execute(trx)
  if (rows.length > 0) return
  await sql`delete from document_texts where ${old} and document_id = ${newId}`.execute(trx)
  await sql`delete from documents where ${old} and id = ${newId}`.execute(trx)
  // Their lines refer to the text that is replaced.
  await sql`update passages set line = null where ${old} and document_id = ${newId}`.execute(trx)
  const from = sql`where safe_id = ${safeId} and import_id = ${importId}`
  await sql`insert into documents (safe_id, import_id, id, path, name_key, title, kind, kept, size, text_bytes, parts, time, tags_json, content_hash)
    select safe_id, cast(${layer} as bigint), cast(${newId} as integer), path, name_key, title, kind, kept, size, text_bytes, parts, time, tags_json, content_hash
    from documents ${from} and id = ${id}`.execute(trx)
  await sql`insert into document_texts (safe_id, import_id, document_id, part, bytes)
    select safe_id, cast(${layer} as bigint), cast(${newId} as integer), part, bytes
    from document_texts ${from} and document_id = ${id}`.execute(trx)
}
