import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db, Schema } from '../../../platform/storage/schema.js'
import { selectWhere, tables, type Values } from '../../../platform/storage/where.js'
import { of, Store } from '../../store.js'
import { Removed, type RemovedStatement } from '../removed/removed.js'
import { changeContent } from './import-effects.js'

/** Maximum pairs of things of one Safe stored as different. */
const MAX_APART = 10_000

/** Two keys, the lower one first. */
export type KeyPair = readonly [key: string, other: string]

/** A change of answers that gives the Safe a new version: its part of the hash, and its effect on indexes. */
type Effect = readonly [change: string, effect: Parameters<typeof changeContent>[3]]

const removedRows = (db: Db, safeId: string) =>
  selectWhere(db, 'removed_statements', { safe_id: safeId })
    .orderBy('removed_at', 'desc')
    .orderBy('id')
    .selectAll()

const removedStatement = (row: Selectable<Schema['removed_statements']>): RemovedStatement => ({
  ...{ id: row.id, kind: row.kind, keys: JSON.parse(row.keys_json), shown: JSON.parse(row.shown_json) },
  removedAt: Number(row.removed_at),
})

/** The statements removed from a Safe (ADR 45), the newest first. */
export const removedOf = async (db: Db, safeId: string) =>
  new Removed((await removedRows(db, safeId).execute()).map(removedStatement))

/** Owners' decisions about the graph of a Safe, independent of imports: limited in number, each stored once. */
export class DecisionStore extends Store {
  /** The latest removed statements, the newest first. */
  async latestRemoved(safeId: string, limit: number): Promise<RemovedStatement[]> {
    const rows = await removedRows(this.db, safeId).limit(sql.lit(limit)).execute()
    return rows.map(removedStatement)
  }

  /** Predicates with one value at a time (ADR 55), in the spelling of the index, in alphabetical order. */
  async singleValued(safeId: string): Promise<string[]> {
    const rows = await selectWhere(this.db, 'single_valued', { safe_id: safeId })
      .orderBy('predicate')
      .select('predicate')
      .execute()
    return rows.map(({ predicate }) => predicate)
  }

  /** Marks a predicate, or removes the mark. False, without a change, if it already is so or there are `most` marks. */
  async setSingleValued(safeId: string, predicate: string, isOn: boolean, most: number): Promise<boolean> {
    const row = { safe_id: safeId, predicate }
    const effect = [`single-valued ${isOn} ${predicate}`, 'keeps indexes'] as const
    if (!isOn) return this.#forget('single_valued', row, effect)
    return (await this.#add('single_valued', row, most, effect)) === 'added'
  }

  /** Facts and passages that were removed (ADR 45). */
  removed = of(this.db, removedOf)

  /** Removes a statement. False if there are `most` already. Removing it again changes nothing. */
  async remove(
    safeId: string,
    { id, kind, keys, shown, removedAt }: RemovedStatement,
    most: number,
  ): Promise<boolean> {
    const texts = { keys_json: JSON.stringify(keys), shown_json: JSON.stringify(shown) }
    const row = { safe_id: safeId, id, kind, ...texts, removed_at: removedAt }
    const effect = [`removed ${id}`, 'retires indexes'] as const
    return (await this.#add('removed_statements', row, most, effect)) !== 'full'
  }

  /** Restores a statement. False if it is not removed. */
  bringBack(safeId: string, id: string): Promise<boolean> {
    const effect = [`brought back ${id}`, 'retires indexes'] as const
    return this.#forget('removed_statements', { safe_id: safeId, id }, effect)
  }

  /** All pairs of different things (ADR 56). */
  async apart(safeId: string): Promise<KeyPair[]> {
    const rows = await selectWhere(this.db, 'distinct_entities', { safe_id: safeId })
      .limit(MAX_APART)
      .select(['key', 'other_key'])
      .execute()
    return rows.map(({ key, other_key }): KeyPair => [key, other_key])
  }

  /** Remembers that two things are different. False if very many pairs are stored already. */
  async keepApart(safeId: string, [key, other_key]: KeyPair): Promise<boolean> {
    const row = { safe_id: safeId, key, other_key }
    return (await this.#add('distinct_entities', row, MAX_APART)) !== 'full'
  }

  /** Forgets that two things are different. */
  async allow(safeId: string, [key, other_key]: KeyPair): Promise<void> {
    await this.#forget('distinct_entities', { safe_id: safeId, key, other_key })
  }

  #add<Table extends Decided>(
    table: Table,
    row: Insertable<Schema[Table]>,
    most: number,
    effect?: Effect,
  ): Promise<'full' | 'added' | 'known'> {
    const { safe_id: safeId } = row as unknown as { safe_id: string }
    return this.database.write(async trx => {
      const { count } = await trx
        .selectFrom(table as Decided)
        .where('safe_id', '=', safeId)
        .select(eb => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= most) return 'full'
      if (!(await tables.add(trx, table, row))) return 'known'
      if (effect) await changeContent(trx, safeId, ...effect)
      return 'added'
    }, safeId)
  }

  /** False if it was not decided. */
  #forget<Table extends Decided>(
    table: Table,
    key: Values<Table> & { safe_id: string },
    effect?: Effect,
  ): Promise<boolean> {
    return this.database.write(async trx => {
      if (!(await tables.remove(trx, table, key))) return false
      if (effect) await changeContent(trx, key.safe_id, ...effect)
      return true
    }, key.safe_id)
  }
}

type Decided = 'single_valued' | 'removed_statements' | 'distinct_entities'
