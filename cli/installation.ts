import { resolve } from 'node:path'
import { isInstalled } from '../platform/storage/installed.js'
import type { Config } from '../plugins/config.js'
import { CommandError } from './command.js'

/** Variables that locate an installation. */
type Location = Pick<Config, 'dataDir' | 'databaseUrl'>

/** @throws CommandError in a wrong folder, before anything is created */
export function requireInstallation(location: Location): void {
  if (isInstalled(location)) return
  throw new CommandError(
    `There is no installation in ${resolve(location.dataDir)}. If it is elsewhere, set DATA_DIR. To make one here, run svc start or svc account add.`,
  )
}
