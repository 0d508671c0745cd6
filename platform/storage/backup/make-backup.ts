import { chmodSync, existsSync, linkSync, mkdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { version } from '../../common/package.js'
import type { DatabaseOptions } from '../database.js'
import { migrateTo, schemaOf } from '../migrate.js'
import type { Db, Schema } from '../schema.js'
import { sqliteDriver } from '../sqlite/load-driver.js'
import { forEachPage, insertRows, TABLES, type TableSum } from '../tables.js'
import { type Manifest, tableNames, withBackupFile, writeManifest } from './backup-file.js'
import { BackupRefused, backupOfUpdate, backupsIn, unfinishedIn } from './kept-backups.js'
import { dropForeign } from './schema-objects.js'

/** How long copying SQLite's file waits for a writer. */
const BUSY_TIMEOUT_MS = 5000

type Source = Omit<DatabaseOptions, 'role'>

/**
 * Copies a database, as it is at one moment, into a new file. Others may write meanwhile. The file appears under its
 * name when it is complete.
 * @throws BackupRefused if there is nothing to copy, or the file exists
 */
export async function makeBackup(from: Source, file: string, now: number): Promise<Manifest> {
  if (existsSync(file)) throw new BackupRefused(`${file} exists already. Choose another name.`)
  const part = `${file}.part`
  rmSync(part, { force: true })
  try {
    const read = from.databaseUrl ? await copyPostgres(from.databaseUrl, part) : await copySqlite(from, part)
    chmodSync(part, 0o600)
    const manifest = await describe(part, now)
    if (read && differing(read, manifest.tables)) throw new Error('The copy differs from the database.')
    await syncToDisk(part)
    // Fails if another process has created this file meanwhile, unlike renaming.
    linkSync(part, file)
    await syncToDisk(dirname(file))
    return manifest
  } finally {
    rmSync(part, { force: true })
    rmSync(`${part}-journal`, { force: true })
  }
}

/** Backs a database up before its tables are changed, so that the version before can be installed again. */
export async function backupBeforeUpdate(from: DatabaseOptions): Promise<void> {
  const folder = backupsIn(from.dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeUnfinished(folder)
  const file = backupOfUpdate(from.dataDir)
  // An existing one is from this update, which was interrupted: by now half of the tables may be new.
  if (!existsSync(file)) await makeBackup(from, file, Date.now())
}

/** Removes the files that a process killed during a backup has left in a folder. */
export function removeUnfinished(folder: string): void {
  for (const { file } of unfinishedIn(folder)) rmSync(file, { force: true })
}

/** `VACUUM INTO` reads in one transaction, and unlike SQLite's backup functions does not restart when others write. */
async function copySqlite({ dataDir, sqliteDriver: name }: Source, part: string): Promise<null> {
  const file = join(dataDir, 'svc.db')
  if (!existsSync(file)) throw new BackupRefused(`There is nothing to back up: ${file} does not exist.`)
  const db = (await sqliteDriver(name)).open(file, BUSY_TIMEOUT_MS)
  try {
    // Not prepared: a statement keeps the file locked until the garbage collector finds it.
    db.exec(`vacuum into '${part.replaceAll("'", "''")}'`)
    return null
  } finally {
    db.close()
  }
}

/** @returns the row counts and checksums of the copied tables */
async function copyPostgres(url: string, part: string): Promise<TableSum[]> {
  const source = (await import('../postgres/postgres.js')).openPostgresReader(url)
  const transaction = source.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  const copyTo = (target: Db) =>
    transaction.execute(async trx => {
      await migrateTo(target as never, await knownSchema(trx))
      const read: TableSum[] = []
      for (const table of await tablesOf(trx))
        read.push(await forEachPage(trx, table, rows => insertRows(target, table, rows)))
      return read
    })
  return withBackupFile(part, copyTo).finally(() => source.destroy())
}

/** Reads the copy once more, from the file, and writes its manifest into it. */
const describe = (part: string, now: number): Promise<Manifest> =>
  withBackupFile(part, async db => {
    const schema = await knownSchema(db)
    await dropForeign(db, schema)
    const manifest = { version, createdAt: now, schema, tables: await sumsOf(db) }
    await writeManifest(db, manifest)
    return manifest
  })

/** The newest migration of a database. @throws BackupRefused if it has none */
async function knownSchema(db: Db): Promise<string> {
  const schema = await schemaOf(db as never)
  if (schema === null) throw new BackupRefused('There is nothing to back up: the database has no tables.')
  return schema
}

/** The tables of this service that a database has; one of an earlier version lacks some. */
async function tablesOf(db: Db): Promise<(keyof Schema)[]> {
  const names = await tableNames(db)
  return TABLES.filter(table => names.has(table))
}

/** The number of rows and the checksum of each table. */
export async function sumsOf(db: Db): Promise<TableSum[]> {
  const sums: TableSum[] = []
  for (const table of await tablesOf(db)) sums.push(await forEachPage(db, table, async () => {}))
  return sums
}

/** The first table with different sums. */
export const differing = (some: TableSum[], others: TableSum[]) =>
  some.find(({ table, rows, sha256 }) => {
    const other = others.find(sum => sum.table === table)
    return other?.rows !== rows || other.sha256 !== sha256
  })

/** Waits until a file is on the disk (fsync). */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
