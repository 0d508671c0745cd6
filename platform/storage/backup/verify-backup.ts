import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { EarlyVersion, OtherVersion, schemaOf } from '../migrate.js'
import type { Db } from '../schema.js'
import { MANIFEST, type Manifest, readManifest, withBackupFile } from './backup-file.js'
import { BackupRefused } from './kept-backups.js'
import { differing, sumsOf } from './make-backup.js'
import { differingObjects } from './schema-objects.js'

/**
 * Reads every row of a backup and compares it with its manifest.
 * @throws BackupRefused
 */
export async function verifyBackup(file: string): Promise<Manifest> {
  if (!existsSync(file)) throw new BackupRefused(`There is no file ${file}.`)
  return withBackupFile(file, db => compare(db, file)).catch(error => {
    throw inWords(error, file)
  })
}

async function compare(db: Db, file: string): Promise<Manifest> {
  await checkPages(db, file)
  const manifest = await readManifest(db)
  if (!manifest)
    throw new BackupRefused(`${file} is a database, but not a backup: svc backup did not make it.`)
  const schema = await schemaOf(db as never)
  if (schema !== null) await checkObjects(db, file, schema)
  const sums = await sumsOf(db)
  const differs = differing(manifest.tables, sums) ?? differing(sums, manifest.tables)
  if (differs || schema !== manifest.schema)
    throw new BackupRefused(
      `${file} was changed after it was made: ${differs ? `its table ${differs.table}` : 'its schema'} is not what it says. Use another backup.`,
    )
  return manifest
}

/** Finds a file that was cut off or damaged, also outside of rows (sqlite.org/pragma.html#pragma_integrity_check). */
async function checkPages(db: Db, file: string): Promise<void> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(db)
  if (rows[0]?.integrity_check !== 'ok') throw damaged(file)
}

/** Rows are compared with the manifest; triggers and views with those made by migrations. */
async function checkObjects(db: Db, file: string, schema: string): Promise<void> {
  const { foreign, missing } = await differingObjects(db, schema)
  const [found] = [...foreign.filter(({ type, name }) => type !== 'table' || name !== MANIFEST), ...missing]
  if (found)
    throw new BackupRefused(
      `${file} was changed after it was made: its ${found.type} ${found.name} is not what svc makes. Use another backup.`,
    )
}

function inWords(error: unknown, file: string): unknown {
  if (error instanceof EarlyVersion) return new BackupRefused(`${file}: ${error.message}`)
  if (error instanceof OtherVersion)
    return new BackupRefused(`${file} is a backup of a newer version. Install that version to restore it.`)
  const code = String((error as NodeJS.ErrnoException).code)
  if (/^SQLITE_(?:NOTADB|CANTOPEN)/.test(code)) return new BackupRefused(`${file} is not a backup.`)
  if (isCorrupt(error) || error instanceof SyntaxError) return damaged(file)
  return error
}

/** Whether SQLite reported that a file is not a database, or a broken one. */
export const isCorrupt = (error: unknown) =>
  /^SQLITE_(?:CORRUPT|NOTADB)/.test(String((error as NodeJS.ErrnoException).code))

const damaged = (file: string) => new BackupRefused(`${file} is damaged or incomplete. Use another backup.`)
