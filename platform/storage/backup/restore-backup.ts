import {
  copyFileSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { counted } from '../../common/format.js'
import type { DatabaseLocation } from '../database.js'
import { migrate, OtherVersion, schemaOf } from '../migrate.js'
import type { CurrentServer } from '../postgres/current-server.js'
import type { Db, Schema } from '../schema.js'
import { sqliteDriver } from '../sqlite/load-driver.js'
import { acquireLock } from '../sqlite/lock.js'
import { isBusy } from '../sqlite/sqlite-dialect.js'
import { DERIVED, drawIdAnew, forEachPage, insertRows, TABLES, type TableSum } from '../tables.js'
import { dropManifest, type Manifest, openBackupFile, withBackupFile } from './backup-file.js'
import { BackupRefused, backupsIn, nameAt, updateEnded } from './kept-backups.js'
import { differing, makeBackup, removeUnfinished, sumsOf, syncToDisk } from './make-backup.js'
import { preparedIn, removeOldCopies, removePrepared } from './restore-request.js'
import { isCorrupt, verifyBackup } from './verify-backup.js'

/** Attempts, and the delay between them, of a restore to wait until others have disconnected. */
const TRIES = 20
const BETWEEN_TRIES_MS = 100

/** Timeout of a statement on a whole table. */
const STATEMENT_MS = 600_000

/** Tables that belong to the moment of the backup: a token or a link that was used, changed or revoked since must not work again. */
const SIGN_INS = [
  'login_sessions',
  'authorization_requests',
  'grants',
  'access_tokens',
  'mcp_sessions',
  'invitations',
  'throttles',
  // Their bytes are in files, which are not in the backup.
  'uploads',
] as const

interface RestoreOptions {
  now: number
  /** Keeps sessions and tokens, for a backup without later changes. */
  keepSignIns: boolean
}

interface Restored {
  manifest: Manifest
  /** A backup of the previous data, or null if there was none. */
  before: string | null
}

/**
 * Replaces a database by a backup, which it verifies first. The previous data is backed up. If killed at any moment, the
 * database is either the old or the new one.
 * @throws BackupRefused while a server runs, or for a file that is not a complete backup
 */
export async function restoreBackup(
  file: string,
  to: DatabaseLocation,
  options: RestoreOptions,
): Promise<Restored> {
  mkdirSync(to.dataDir, { recursive: true, mode: 0o700 })
  const release = await acquireLock(join(to.dataDir, 'server.lock'))
  if (!release)
    throw new BackupRefused(`A server is running on ${to.dataDir}. Stop it, then restore the backup.`)
  const prepared = preparedIn(to.dataDir)
  try {
    const manifest = await verifyBackup(file)
    await copyPrivately(file, prepared)
    await prepare(prepared, options)
    const replace = to.databaseUrl ? replacePostgres : replaceSqlite
    const before = await replace(prepared, to, options.now)
    updateEnded(to.dataDir)
    removeOldCopies(backupsIn(to.dataDir), resolve(file))
    return { manifest, before }
  } finally {
    removePrepared(to.dataDir)
    release()
  }
}

/** Readable only by this user from the first byte on: copyFile would copy the mode as well, and a backup may be readable by others. */
async function copyPrivately(from: string, to: string): Promise<void> {
  rmSync(to, { force: true })
  await pipeline(createReadStream(from), createWriteStream(to, { mode: 0o600 }))
}

/** Makes the copy of a backup the database of the service. */
async function prepare(prepared: string, { keepSignIns }: RestoreOptions): Promise<void> {
  await withBackupFile(prepared, async db => {
    await dropManifest(db)
    await migrate(db as never, async () => () => {})
    await drawIdAnew(db)
    if (!keepSignIns) for (const table of SIGN_INS) await db.deleteFrom(table).execute()
  })
  await syncToDisk(prepared)
}

async function replaceSqlite(prepared: string, { dataDir }: DatabaseLocation, now: number) {
  const file = join(dataDir, 'svc.db')
  const before = existsSync(file)
    ? await backUp({ dataDir }, now).catch(keepAsItIs(file, dataDir, now))
    : null
  // They refer to rows of the old database by their numbers.
  rmSync(join(dataDir, 'indexes'), { recursive: true, force: true })
  const unlock = before ? await withoutLog(file) : () => {}
  for (const log of [`${file}-wal`, `${file}-shm`]) rmSync(log, { force: true })
  try {
    renameSync(prepared, file)
    await syncToDisk(dataDir)
  } finally {
    unlock()
  }
  return before
}

/**
 * Ends the write-ahead log, which SQLite would otherwise apply to the new file, and keeps others out.
 * @returns a function that releases the old file
 */
async function withoutLog(file: string): Promise<() => void> {
  const db = (await sqliteDriver()).open(file, 0)
  try {
    db.exec('pragma locking_mode = EXCLUSIVE')
    db.exec('pragma journal_mode = DELETE')
    db.exec('begin exclusive')
    return () => db.close()
  } catch (error) {
    db.close()
    if (isCorrupt(error)) return () => {}
    if (isBusy(error))
      throw new BackupRefused(`Another svc command uses ${dirname(file)}. Try again when it has ended.`)
    throw error
  }
}

/** One transaction: readers see the old rows or the new ones. */
async function replacePostgres(prepared: string, to: DatabaseLocation, now: number) {
  const { CurrentServer } = await import('../postgres/current-server.js')
  const server = new CurrentServer(to.databaseUrl ?? '')
  // Behind a pooler, the connections of servers are not visible.
  if ((await server.find()).pooler !== 'none')
    throw new BackupRefused(
      'DATABASE_URL leads to a connection pooler, behind which it cannot be seen whether servers still run. Restore with the direct address of Postgres.',
    )
  const target = await openPostgres(server)
  const source = await openBackupFile(prepared)
  try {
    await rejectOthers(target)
    const hasTables = await schemaOf(target as never).catch(rejectOther)
    const before = hasTables ? await backUp(to, now) : null
    await migrate(target as never, async () => () => {})
    await target.transaction().execute(async trx => {
      await sql`truncate ${sql.join([...TABLES, ...DERIVED].map(table => sql.table(table)))}`.execute(trx)
      // Summed while they are copied: to read the file once more would leave the transaction idle for longer than
      // Postgres keeps one (idle_in_transaction_session_timeout).
      const sums: TableSum[] = []
      for (const table of TABLES)
        sums.push(await forEachPage(source, table, rows => insertRows(trx, table, rows)))
      const differs = differing(sums, await sumsOf(trx))
      if (differs)
        throw new Error(`Table ${differs.table} differs from the backup after copying. Nothing was changed.`)
      await drawIdAnew(trx)
    })
    return before
  } finally {
    await source.destroy()
    await target.destroy()
  }
}

async function openPostgres(server: CurrentServer): Promise<Db> {
  const { postgresPool } = await import('../postgres/postgres-pool.js')
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: postgresPool({ server, max: 2, queryMs: STATEMENT_MS }) }),
  })
}

/**
 * Servers keep connections open. This process has at most two, with its own name. Those of a process that has just ended
 * are visible for a moment longer.
 */
async function rejectOthers(db: Db): Promise<void> {
  let others = await otherConnections(db)
  for (let attempt = 1; others > 0 && attempt < TRIES; attempt++) {
    await pause(BETWEEN_TRIES_MS)
    others = await otherConnections(db)
  }
  if (others > 0)
    throw new BackupRefused(
      `The database has ${counted('other connection', 'other connections')(others)}. Stop all servers, then restore the backup.`,
    )
}

async function otherConnections(db: Db): Promise<number> {
  const count = sql<{ others: number }>`
    select count(*)::int as others from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`
  return (await count.execute(db)).rows[0]?.others ?? 0
}

/** Tables of another version look like foreign ones, so nothing is removed. */
function rejectOther(error: unknown): never {
  if (!(error instanceof OtherVersion)) throw error
  throw new BackupRefused(
    'Another version has written the database at DATABASE_URL. Create an empty database, set DATABASE_URL to it, then restore the backup.',
  )
}

/** Backs up the data before it is replaced. */
async function backUp(from: DatabaseLocation, now: number): Promise<string> {
  const file = kept(from.dataDir, now)
  await makeBackup(from, file, now)
  return file
}

/** A broken database, or one of another version, is a reason to restore a backup. It is kept as it is. */
const keepAsItIs = (file: string, dataDir: string, now: number) => async (error: unknown) => {
  if (!isCorrupt(error) && !(error instanceof OtherVersion)) throw error
  const unlock = await withoutLog(file)
  unlock()
  const copy = kept(dataDir, now)
  copyFileSync(file, copy)
  return copy
}

function kept(dataDir: string, now: number): string {
  const folder = backupsIn(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeUnfinished(folder)
  return join(folder, nameAt('before-restore', now))
}
