import { DEFAULT_MIGRATION_TABLE, type Kysely, type Migration, Migrator, PostgresAdapter, sql } from 'kysely'
import { version } from '../common/package.js'
import * as apps from './migrations/0021-apps.js'
import * as keptFolders from './migrations/0022-kept-folders.js'

const FIRST = '0021-apps'

/**
 * All migrations in their order. Tests add to them. A new one is a file with the next number in `migrations/`, with its
 * tables and columns in `schema.ts` and `tables.ts`. `runStatements` runs it on SQLite and Postgres.
 *
 * - A released migration never changes; another one fixes it.
 * - No statement copies a number of rows that grows with the data.
 * - SQLite runs it without a transaction, so it may restart at any point: the objects it creates may exist, and it checks
 *   before it adds a column (`test/integration/storage/later-migrations.ts`).
 */
export const MIGRATIONS: Record<string, Migration> = {
  [FIRST]: apps,
  '0022-kept-folders': keptFolders,
}

/** The migrations that `0021-apps` replaces. An installation of their time has them all, a later one none. */
const REPLACED =
  '0001-initial 0002-many-rows 0003-activity 0004-removed 0005-sharing 0006-home 0007-sync 0008-proposals \
0009-fact-times 0010-identities 0011-uploads 0012-sign-in 0013-mail 0014-index-snapshots 0015-account-origins \
0016-documents 0017-removed-statements 0018-mcp-apps 0019-exact-counts 0020-document-reads'.split(' ')

/** The last commit that has them. */
const CAN_UPDATE = '11423eaca462ea15662078893d442be18a835637'

/** Releases a lock. */
type Release = () => void | Promise<void>

/** Called under the lock before a database that is in use gets its next migration. */
export type BeforeUpdate = () => Promise<void>

/** The tables are those of a version that this one cannot read: a newer, an early or an unreleased one. The message is for the user. */
export class OtherVersion extends Error {}

/** An early version has written the database, and this one cannot update it. */
export class EarlyVersion extends OtherVersion {}

const TO_GO_BACK =
  'To go back, run svc restore with the backup that was made before the update, in DATA_DIR/backups.'

const newer = (migration: string) =>
  new OtherVersion(
    `A newer version of this service has updated the database (${migration}), and svc ${version} cannot read it. Install the newer version. ${TO_GO_BACK}`,
  )

const unreleased = (missing: string, later: string) =>
  new OtherVersion(
    `A version of this service that was never released has written the database: it has ${later} without ${missing}. svc ${version} cannot read it. Run the version that wrote it, export the Safes with svc safe export, and import them into a new DATA_DIR. ${TO_GO_BACK}`,
  )

const early = (migration: string) =>
  new EarlyVersion(
    `An early version of this service has written the database (${migration}), and svc ${version} cannot update it. Commit ${CAN_UPDATE} can: back the database up, build that commit and run its svc migrate on it, then start this version again.`,
  )

/**
 * Migrates the tables to the latest version. `lock` serializes processes that start at the same time; all but
 * the first then have nothing to do.
 * @throws OtherVersion
 */
export async function migrate(
  db: Kysely<never>,
  lock: () => Promise<Release>,
  beforeUpdate: BeforeUpdate = async () => {},
): Promise<void> {
  const isLatest = (executed: string[]) => executed.length === Object.keys(MIGRATIONS).length
  if (isLatest(await executedIn(db))) return
  const release = await lock()
  try {
    const executed = await executedIn(db)
    if (executed.length > 0 && !isLatest(executed)) await beforeUpdate()
    const { error } = await (await migratorOf(db)).migrateToLatest()
    if (error) throw error
  } finally {
    await release()
  }
}

/** Creates the tables of a migration in an empty database. */
export async function migrateTo(db: Kysely<never>, migration: string): Promise<void> {
  const { error } = await (await migratorOf(db)).migrateTo(migration)
  if (error) throw error
}

/** The newest migration of a database, or null for an empty one. @throws OtherVersion */
export async function schemaOf(db: Kysely<never>): Promise<string | null> {
  return (await executedIn(db)).at(-1) ?? null
}

/** Kysely requires every migration of a database to be known. */
async function migratorOf(db: Kysely<never>): Promise<Migrator> {
  const replaced = (await namesIn(db)).filter(name => REPLACED.includes(name))
  const known = Object.fromEntries(replaced.map(name => [name, { up: async () => {} }]))
  return new Migrator({ db, provider: { getMigrations: async () => ({ ...known, ...MIGRATIONS }) } })
}

/**
 * Those of `MIGRATIONS` that a database has, the first ones. Kysely reads all tables and columns for them, at every start,
 * and detects an unknown one only when migrations are pending, although this version would misread the tables.
 * @throws OtherVersion
 */
async function executedIn(db: Kysely<never>): Promise<string[]> {
  const executed = new Set(await namesIn(db))
  const names = Object.keys(MIGRATIONS)
  const replaced = REPLACED.filter(name => executed.has(name))
  const unknown = [...executed].find(name => !names.includes(name) && !REPLACED.includes(name))
  if (unknown) throw newer(unknown)
  const newest = replaced.at(-1)
  if (newest && !executed.has(FIRST)) throw early(newest)
  // They are executed in order, so a database that lacks an earlier one comes from a branch.
  const order = newest ? [...REPLACED, ...names] : names
  const missing = order.findIndex(name => !executed.has(name))
  const later = order.find((name, at) => missing !== -1 && at > missing && executed.has(name))
  if (later) throw unreleased(order[missing] ?? '', later)
  return names.filter(name => executed.has(name))
}

async function namesIn(db: Kysely<never>): Promise<string[]> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const tables = isPostgres
    ? sql`select 1 where to_regclass(${DEFAULT_MIGRATION_TABLE}) is not null`
    : sql`select 1 from sqlite_master where type = 'table' and name = ${DEFAULT_MIGRATION_TABLE}`
  if ((await tables.execute(db)).rows.length === 0) return []
  const names = sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`
  return (await names.execute(db)).rows.map(({ name }) => name)
}
