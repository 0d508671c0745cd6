import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseOptions } from '../database.js'
import { makeBackup, removeUnfinished } from './make-backup.js'

const KEEP = 2
const NAME = /^before-\d{4}-.*\.db$/

/** Backs a database up before its tables are changed, so that the version before can be installed again. */
export async function backupBeforeUpdate(from: DatabaseOptions, next: string): Promise<void> {
  const folder = join(from.dataDir, 'backups')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeUnfinished(folder)
  const file = join(folder, `before-${next}.db`)
  // From an update that was interrupted: the tables are as they were then, or half of them are newer.
  if (existsSync(file)) return
  await makeBackup(from, file, Date.now())
  const modified = (name: string) => statSync(join(folder, name)).mtimeMs
  const copies = readdirSync(folder).filter(name => NAME.test(name))
  for (const old of copies.sort((a, b) => modified(b) - modified(a)).slice(KEEP)) rmSync(join(folder, old))
}
