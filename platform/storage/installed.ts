import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseLocation } from './database.js'

/** Whether there is data already, or a Postgres for it: a command may have been started in the wrong folder. */
export const isInstalled = ({ dataDir, databaseUrl }: DatabaseLocation) =>
  Boolean(databaseUrl) || existsSync(join(dataDir, 'svc.db'))
