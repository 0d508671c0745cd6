import { sql } from 'kysely'
import { messages } from '../../messages.js'
import { schemaOf } from '../../storage/migrate.js'
import { type Finding, problem, reasonOf } from '../finding.js'
import type { Installation } from '../installation.js'

/** Whether the database answers and has the schema of this version. */
export async function checkDatabase({ database, settings }: Installation): Promise<Finding[]> {
  try {
    const db = await database()
    await sql`select 1`.execute(db)
    await schemaOf(db as never)
    return []
  } catch (error) {
    const setting = settings.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR'
    return [problem(messages.doctor.database(setting, reasonOf(error)))]
  }
}
