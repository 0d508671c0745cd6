import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import type { Test } from 'tap'
import { rootDir } from '../../../platform/common/package.js'
import type { DatabaseLocation } from '../../../platform/storage/database.js'
import { openDatabase } from '../../../platform/storage/open-database.js'
import { openPostgresReader } from '../../../platform/storage/postgres/postgres.js'
import type { Schema } from '../../../platform/storage/schema.js'
import { openSqliteReader } from '../../../platform/storage/sqlite/sqlite.js'
import type { Used } from '../../fixtures/releases/release.js'
import { dataDir, postgresUrl } from '../../helper.js'

export const STORES = ['sqlite', 'postgres'] as const
export type Store = (typeof STORES)[number]

const folder = join(rootDir, 'test', 'fixtures', 'releases')
const unzip = (...path: string[]) => gunzipSync(readFileSync(join(folder, ...path)))

/** A release that this version cannot update. */
export const EARLY = '0014-index-snapshots'

/**
 * The releases that this version can update and whose databases are fixtures, named after their newest migration, in
 * order.
 */
export const releases = readdirSync(folder, { withFileTypes: true })
  .filter(entry => entry.isDirectory() && entry.name !== EARLY)
  .map(({ name }) => name)
  .sort()

/** The known content of the databases of a release. */
export const usedOf = (release: string): Record<Store, Used> =>
  JSON.parse(readFileSync(join(folder, release, 'used.json'), 'utf8'))

/** The names of all migrations, in order. */
export const migrations = readdirSync(join(rootDir, 'platform', 'storage', 'migrations'))
  .sort()
  .map(file => file.replace(/\.ts$/, ''))

/** The first of them. */
export const RELEASE = '0021-apps'

/** A database from a release. */
export async function placeOf(t: Test, release: string, store: Store): Promise<DatabaseLocation> {
  const place = await emptyPlace(t, store)
  if (place.databaseUrl) await run(place.databaseUrl, unzip(release, 'postgres.sql.gz').toString())
  else writeFileSync(join(place.dataDir, 'svc.db'), unzip(release, 'sqlite.db.gz'))
  return place
}

export async function emptyPlace(t: Test, store: Store): Promise<DatabaseLocation> {
  return { dataDir: dataDir(t), databaseUrl: store === 'postgres' ? await postgresUrl(t) : null }
}

/** Changes a database as a newer version might. */
export async function updateFurther(place: DatabaseLocation): Promise<void> {
  const database = await openDatabase({ ...place, role: 'cli' })
  await database.write(async trx => {
    await sql`alter table safes add column later text`.execute(trx)
    await sql`update safes set later = 'later'`.execute(trx)
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2030')`.execute(trx)
  })
  await database.close()
}

async function run(url: string, statements: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statements)
  await client.end()
}

/** Opens a database as it is, without updating it. */
export async function opened<T>(
  { dataDir, databaseUrl }: DatabaseLocation,
  work: (db: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  const db = databaseUrl ? openPostgresReader(databaseUrl) : await openSqliteReader(dataDir)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** Rows as text, in order, and their columns. */
export type Rows = Record<string, { columns: string[]; rows: string[] }>

/** All rows of a database, or its part of the tables and columns of others. */
export async function rowsIn(db: Kysely<Schema>, like?: Rows): Promise<Rows> {
  const all: Rows = {}
  for (const { name, columns } of await db.introspection.getTables()) {
    if (like && !like[name]) continue
    const wanted = like?.[name]?.columns ?? columns.map(column => column.name).sort()
    const selected = sql.join(wanted.map(column => sql.ref(column)))
    const { rows } = await sql<Record<string, unknown>>`select ${selected} from ${sql.table(name)}`.execute(
      db,
    )
    // A start and a restore draw a new id of the installation.
    const kept = rows.filter(row => !(name === 'service_keys' && row.name === 'installation'))
    all[name] = { columns: wanted, rows: kept.map(row => JSON.stringify(row)).sort() }
  }
  return all
}

/** Tables with their columns and constraints, and indexes: one line each, in order. */
export async function schemaIn(db: Kysely<Schema>, store: Store): Promise<string[]> {
  const { rows } = await (store === 'sqlite' ? SQLITE_SCHEMA : POSTGRES_SCHEMA).execute(db)
  return rows.map(({ line }) => line.replace(/\s+/g, ' ')).sort()
}

const SQLITE_SCHEMA = sql<{ line: string }>`
  select type || ' ' || name || ': ' || sql as line from sqlite_master where sql is not null`

const POSTGRES_SCHEMA = sql<{ line: string }>`
  select table_name || ' has ' || string_agg(concat_ws(' ', column_name, data_type, collation_name,
    column_default, 'null: ' || is_nullable), ', ' order by ordinal_position) as line
  from information_schema.columns where table_schema = 'public' group by table_name
  union all
  select indexdef from pg_indexes where schemaname = 'public'
  union all
  select conrelid::regclass || ' ' || conname || ': ' || pg_get_constraintdef(oid) from pg_constraint
  where connamespace = 'public'::regnamespace and contype <> 'n'`
