import { resolve } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { isInstalled } from '../../../platform/storage/installed.js'
import { schemaOf } from '../../../platform/storage/migrate.js'
import type { Schema } from '../../../platform/storage/schema.js'
import { type Finding, note, problem, reasonOf } from '../finding.js'
import type { Installation } from '../installation.js'
import { installationTexts } from './installation-texts.js'

/** Whether there is a database that answers and has the schema of this version. */
export async function checkDatabase({ database, settings }: Installation): Promise<Finding[]> {
  if (!isInstalled(settings)) return [problem(installationTexts.noInstallation(resolve(settings.dataDir)))]
  try {
    const db = await database()
    await sql`select 1`.execute(db)
    await schemaOf(db as never)
    return settings.databaseUrl ? await checkPostgres(db, settings.databaseUrl) : []
  } catch (error) {
    const setting = settings.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR'
    return [problem(installationTexts.database(setting, reasonOf(error)))]
  }
}

async function checkPostgres(db: Kysely<Schema>, databaseUrl: string): Promise<Finding[]> {
  const { rows } = await sql<{ mode: string }>`
    select current_setting('transaction_read_only') as mode`.execute(db)
  if (rows[0]?.mode === 'on') return [problem(installationTexts.readOnly)]
  const { CurrentServer } = await import('../../../platform/storage/postgres/current-server.js')
  const { pooler } = await new CurrentServer(databaseUrl).find()
  return pooler === 'none' ? [] : [note(installationTexts.pooler[pooler])]
}
