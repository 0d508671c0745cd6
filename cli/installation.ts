import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../plugins/config.js'
import { CommandError } from './command.js'

/** What says where an installation is. */
type Location = Pick<Config, 'dataDir' | 'databaseUrl'>

/** Whether there is data already: a command may have been started in the wrong folder. */
export const isInstalled = ({ dataDir, databaseUrl }: Location) =>
  databaseUrl !== null || existsSync(join(dataDir, 'svc.db'))

/** @throws CommandError when there is nothing to work on, before anything is made */
export function requireInstallation(location: Location): void {
  if (isInstalled(location)) return
  throw new CommandError(
    `There is no installation in ${resolve(location.dataDir)}. If it is elsewhere, set DATA_DIR. To make one here, run svc start or svc account add.`,
  )
}
