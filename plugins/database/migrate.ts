import { join } from 'node:path'
import { type Kysely, type Migration, Migrator } from 'kysely'
import * as initial from '../../migrations/0001-initial.js'
import { Unavailable } from '../unavailable.js'
import { acquireLock } from './lock.js'
import { retryWhileBusy } from './sqlite-dialect.js'

const migrations: Record<string, Migration> = { '0001-initial': initial }

/**
 * Brings the tables up to date. Kysely's own migration lock does nothing on SQLite, so a lock file serves.
 * @throws Error when the database was written by a newer version
 */
export async function migrate(db: Kysely<never>, dataDir: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const pending = (await migrator.getMigrations()).filter(migration => !migration.executedAt)
  if (pending.length === 0) return
  const release = await retryWhileBusy(() => waitForLock(join(dataDir, 'migrate.lock')))
  try {
    const { error } = await migrator.migrateToLatest()
    if (error) throw error
  } finally {
    release()
  }
}

async function waitForLock(file: string): Promise<() => void> {
  const giveUpAt = Date.now() + 30_000
  for (;;) {
    const release = acquireLock(file)
    if (release) return release
    if (Date.now() > giveUpAt) throw new Unavailable('another process is migrating the database')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
