import { DEFAULT_MIGRATION_TABLE, type Kysely, type Migration, Migrator, PostgresAdapter, sql } from 'kysely'
import { version } from '../common/package.js'
import * as initial from './migrations/0001-initial.js'
import * as manyRows from './migrations/0002-many-rows.js'
import * as activity from './migrations/0003-activity.js'
import * as removed from './migrations/0004-removed.js'
import * as sharing from './migrations/0005-sharing.js'
import * as home from './migrations/0006-home.js'
import * as sync from './migrations/0007-sync.js'
import * as proposals from './migrations/0008-proposals.js'
import * as factTimes from './migrations/0009-fact-times.js'
import * as identities from './migrations/0010-identities.js'
import * as uploads from './migrations/0011-uploads.js'
import * as signIn from './migrations/0012-sign-in.js'
import * as mail from './migrations/0013-mail.js'
import * as indexSnapshots from './migrations/0014-index-snapshots.js'
import * as accountOrigins from './migrations/0015-account-origins.js'
import * as documents from './migrations/0016-documents.js'
import * as removedStatements from './migrations/0017-removed-statements.js'
import * as mcpApps from './migrations/0018-mcp-apps.js'
import * as exactCounts from './migrations/0019-exact-counts.js'
import * as documentReads from './migrations/0020-document-reads.js'
import * as apps from './migrations/0021-apps.js'

const MIGRATIONS: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-many-rows': manyRows,
  '0003-activity': activity,
  '0004-removed': removed,
  '0005-sharing': sharing,
  '0006-home': home,
  '0007-sync': sync,
  '0008-proposals': proposals,
  '0009-fact-times': factTimes,
  '0010-identities': identities,
  '0011-uploads': uploads,
  '0012-sign-in': signIn,
  '0013-mail': mail,
  '0014-index-snapshots': indexSnapshots,
  '0015-account-origins': accountOrigins,
  '0016-documents': documents,
  '0017-removed-statements': removedStatements,
  '0018-mcp-apps': mcpApps,
  '0019-exact-counts': exactCounts,
  '0020-document-reads': documentReads,
  '0021-apps': apps,
}

/** In their order. */
const NAMES = Object.keys(MIGRATIONS)

/** Releases a lock. */
type Release = () => void | Promise<void>

/** Called under the lock before a database that is in use gets its next migration. */
export type BeforeUpdate = () => Promise<void>

/** A version that this one does not know has updated the database: a newer one, or one that was never released. The message is for the user. */
export class NewerDatabase extends Error {}

const TO_GO_BACK =
  'To go back, run svc restore with the backup that was made before the update, in DATA_DIR/backups.'

const newer = (migration: string) =>
  new NewerDatabase(
    `A newer version of this service has updated the database (${migration}), and svc ${version} cannot read it. Install the newer version. ${TO_GO_BACK}`,
  )

const unreleased = (missing: string, later: string) =>
  new NewerDatabase(
    `A version of this service that was never released has written the database: it has ${later} without ${missing}. svc ${version} cannot read it. Run the version that wrote it, export the Safes with svc safe export, and import them into a new DATA_DIR. ${TO_GO_BACK}`,
  )

/**
 * Migrates the tables to the latest version. `lock` serializes processes that start at the same time; all but
 * the first then find nothing to do.
 * @throws NewerDatabase
 */
export async function migrate(
  db: Kysely<never>,
  lock: () => Promise<Release>,
  beforeUpdate: BeforeUpdate = async () => {},
): Promise<void> {
  if ((await executedIn(db)).length === NAMES.length) return
  const release = await lock()
  try {
    const executed = (await executedIn(db)).length
    if (executed > 0 && executed < NAMES.length) await beforeUpdate()
    const { error } = await migratorOf(db).migrateToLatest()
    if (error) throw error
  } finally {
    await release()
  }
}

/** Gives an empty database the tables that they were at a migration. */
export async function migrateTo(db: Kysely<never>, migration: string): Promise<void> {
  const { error } = await migratorOf(db).migrateTo(migration)
  if (error) throw error
}

/** The newest migration of a database, or null for an empty one. @throws NewerDatabase */
export async function schemaOf(db: Kysely<never>): Promise<string | null> {
  return (await executedIn(db)).at(-1) ?? null
}

const migratorOf = (db: Kysely<never>) =>
  new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })

/**
 * The migrations of a database, the first ones of `NAMES`. Kysely reads all tables and columns for them, at every start, and
 * detects an unknown one only when migrations are pending, although this version would misread the tables.
 * @throws NewerDatabase
 */
async function executedIn(db: Kysely<never>): Promise<string[]> {
  if (!(await hasMigrationTable(db))) return []
  const { rows } = await sql<{
    name: string
  }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(db)
  const executed = new Set(rows.map(({ name }) => name))
  const unknown = [...executed].find(name => !Object.hasOwn(MIGRATIONS, name))
  if (unknown) throw newer(unknown)
  // They are executed in order, so one that lacks an earlier one comes from a branch.
  const missing = NAMES.findIndex(name => !executed.has(name))
  const later = NAMES.find((name, at) => missing !== -1 && at > missing && executed.has(name))
  if (later) throw unreleased(NAMES[missing] ?? '', later)
  return NAMES.slice(0, executed.size)
}

async function hasMigrationTable(db: Kysely<never>): Promise<boolean> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const tables = isPostgres
    ? sql`select 1 where to_regclass(${DEFAULT_MIGRATION_TABLE}) is not null`
    : sql`select 1 from sqlite_master where type = 'table' and name = ${DEFAULT_MIGRATION_TABLE}`
  return (await tables.execute(db)).rows.length > 0
}
