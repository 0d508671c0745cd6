import { Kysely, sql } from 'kysely'
import type { Db, Schema } from '../schema.js'
import { sqliteDriver } from '../sqlite/load-driver.js'
import { sqliteDialect } from '../sqlite/sqlite-dialect.js'
import type { TableSum } from '../tables.js'

/** The manifest of a backup. */
export interface Manifest {
  /** Version of the service that made it. */
  version: string
  createdAt: number
  /** Its newest migration. */
  schema: string
  tables: TableSum[]
}

/** A table that only backups have. Its one row is the manifest, as JSON. */
export const MANIFEST = 'backup'

/**
 * A backup is a SQLite database with the tables of the service, from either database. It is written and
 * read by one process, so it needs no write-ahead log and stays one file.
 */
export async function openBackupFile(file: string): Promise<Db> {
  const db = (await sqliteDriver()).open(file, 0)
  try {
    db.exec('pragma journal_mode = DELETE')
    // The file is only visible to others once it is complete and on the disk (make-backup.ts).
    db.exec('pragma synchronous = OFF')
    db.exec('pragma foreign_keys = OFF')
    db.exec('pragma cache_size = -16000')
  } catch (error) {
    db.close()
    throw error
  }
  return new Kysely<Schema>({ dialect: sqliteDialect(db) })
}

/** Opens a backup for this work, and closes it. */
export async function withBackupFile<T>(file: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = await openBackupFile(file)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** The tables that a database has. */
export async function tableNames(db: Db): Promise<Set<string>> {
  return new Set((await db.introspection.getTables()).map(({ name }) => name))
}

/** Writes the manifest that makes a database a backup. There must be none yet. */
export async function writeManifest(db: Db, manifest: Manifest): Promise<void> {
  await sql`create table ${sql.table(MANIFEST)} (manifest_json text not null)`.execute(db)
  await sql`insert into ${sql.table(MANIFEST)} values (${JSON.stringify(manifest)})`.execute(db)
}

/** The manifest of a backup, or null in any other database. */
export async function readManifest(db: Db): Promise<Manifest | null> {
  if (!(await tableNames(db)).has(MANIFEST)) return null
  const { rows } = await sql<{ manifest_json: string }>`select * from ${sql.table(MANIFEST)}`.execute(db)
  return rows[0] ? (JSON.parse(rows[0].manifest_json) as Manifest) : null
}

/** Makes a restored backup an ordinary database again. */
export const dropManifest = (db: Db) => sql`drop table ${sql.table(MANIFEST)}`.execute(db)
