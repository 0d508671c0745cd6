import { sql } from 'kysely'
import { migrateTo } from '../migrate.js'
import type { Db } from '../schema.js'
import { withBackupFile } from './backup-file.js'

/** A table, index, view or trigger. */
interface SchemaObject {
  type: string
  name: string
  /** Null for the indexes that SQLite makes for constraints. */
  sql: string | null
}

/**
 * Objects of a file that migrations do not make, or make differently, and missing ones. Triggers and views would run
 * inside the service, with its rights.
 */
export const differingObjects = (db: Db, migration: string) =>
  withBackupFile(':memory:', async model => {
    await migrateTo(model as never, migration)
    const [found, made] = [await objectsOf(db), await objectsOf(model)]
    return { foreign: without(found, made), missing: without(made, found) }
  })

/** Removes objects that only this installation has, such as an index made by its operator. */
export async function dropForeign(db: Db, migration: string): Promise<void> {
  const { foreign, missing } = await differingObjects(db, migration)
  const changed = new Set(missing.map(({ name }) => name))
  // Dropping a table drops its triggers and indexes.
  for (const { type, name } of foreign)
    if (!changed.has(name)) await sql`drop ${sql.raw(type)} if exists ${sql.table(name)}`.execute(db)
}

const without = (some: SchemaObject[], others: SchemaObject[]) => {
  const known = new Set(others.map(keyOf))
  return some.filter(each => !known.has(keyOf(each)))
}

const keyOf = ({ type, name, sql }: SchemaObject) => JSON.stringify([type, name, sql])

/** Without the statistics of the query planner (sqlite.org/lang_analyze.html). */
async function objectsOf(db: Db): Promise<SchemaObject[]> {
  const { rows } = await sql<SchemaObject>`
    select type, name, sql from sqlite_master where name not like 'sqlite_stat%' order by type, name`.execute(
    db,
  )
  return rows
}
