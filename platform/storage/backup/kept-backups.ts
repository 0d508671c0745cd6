import { readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DomainError } from '../../common/domain-error.js'

/** A backup cannot be made or restored. The message is for the user. */
export class BackupRefused extends DomainError {
  constructor(message: string) {
    super(409, 'backup_refused', message)
  }
}

/** The origin of a backup: a schedule or a person, before an update or a restore, or from elsewhere. */
type BackupKind = 'made' | 'before-update' | 'before-restore' | 'received'

/** A backup in one of the folders of an installation. */
export interface KeptBackup {
  name: string
  file: string
  kind: BackupKind
  at: number
  bytes: number
}

const NAME =
  /^(svc|before-update|before-restore|received)-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d(?:\.\d{3})?)Z\.db$/

/** The backup that an update makes first. It has this name until the update has ended. */
const UPDATE_BACKUP = 'before-update.db'

/** Without colons, which Windows does not allow in names. */
export const nameAt = (prefix: string, at: number) =>
  `${prefix}-${new Date(at)
    .toISOString()
    .replace(/\.000Z$/, 'Z')
    .replaceAll(':', '-')}.db`

/** The information in the name of a backup, or null for any other file. */
export function readName(name: string): { kind: BackupKind; at: number } | null {
  const found = NAME.exec(name)
  if (!found) return null
  const kind = found[1] === 'svc' ? 'made' : (found[1] as BackupKind)
  const at = Date.parse(`${found[2]}T${found[3]}:${found[4]}:${found[5]}Z`)
  return Number.isNaN(at) ? null : { kind, at }
}

/** The incomplete backup files that a killed process has left in a folder. */
export function unfinishedIn(folder: string): { file: string; kind: BackupKind }[] {
  return namesIn(folder).flatMap(name => {
    const [, backup = ''] = /^(.+)\.part(?:-journal)?$/.exec(name) ?? []
    const kind = backup === UPDATE_BACKUP ? 'before-update' : readName(backup)?.kind
    return kind ? [{ file: join(folder, name), kind }] : []
  })
}

/** The backups in some folders, newest first. Missing and unreadable folders have none. */
export function keptBackups(folders: readonly string[]): KeptBackup[] {
  const found = new Map<string, KeptBackup>()
  for (const folder of folders)
    for (const name of namesIn(folder)) {
      const said = readName(name)
      const file = join(folder, name)
      // It may have been deleted since, by a schedule.
      const stat = said && statSync(file, { throwIfNoEntry: false })
      if (said && stat?.isFile() && !found.has(name))
        found.set(name, { name, file, bytes: stat.size, ...said })
    }
  return [...found.values()].sort((a, b) => b.at - a.at || (a.name < b.name ? 1 : -1))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Backups of ended updates. */
const UPDATES_KEPT = 2

/** The folder of backups that the service makes before it changes data. */
export const backupsIn = (dataDir: string) => join(dataDir, 'backups')

/** The backup of an unfinished update. */
export const backupOfUpdate = (dataDir: string) => join(backupsIn(dataDir), UPDATE_BACKUP)

/** Puts the time into the name of the backup that an update has made, if one has, and keeps the newest of them. */
export function updateEnded(dataDir: string): void {
  const file = backupOfUpdate(dataDir)
  const made = statSync(file, { throwIfNoEntry: false })
  if (!made) return
  const folder = backupsIn(dataDir)
  try {
    renameSync(file, join(folder, nameAt('before-update', made.mtimeMs)))
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const ended = keptBackups([folder]).filter(({ kind }) => kind === 'before-update')
  for (const old of ended.slice(UPDATES_KEPT)) rmSync(old.file, { force: true })
}
