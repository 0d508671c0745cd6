import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { alone } from '../sqlite/lock.js'
import { backupsIn, keptBackups, unfinishedIn } from './kept-backups.js'

/** A restore requested from a running server. It happens when the server starts again (ADR 59). */
export interface RestoreRequest {
  /** The name of the backup. */
  name: string
  requestedAt: number
}

/** The result of the last requested restore. */
export interface RestoreOutcome extends RestoreRequest {
  /** When the backup was made; null if it was not restored. */
  restored: number | null
  /** The name of the backup of the previous data. */
  before: string | null
  /** The reason why it was not restored: a sentence for the user, or null. */
  refused: string | null
}

const folderIn = (dataDir: string) => join(dataDir, 'restore')
const request = (dataDir: string) => join(folderIn(dataDir), 'request.json')
const outcome = (dataDir: string) => join(folderIn(dataDir), 'outcome.json')
/** The backup of a request: its own name, so that no schedule deletes it meanwhile. */
const requestedBackup = (dataDir: string) => join(folderIn(dataDir), 'backup.db')

/** Leaves a request for the next start, atomically. */
export function requestRestore(dataDir: string, file: string, asked: RestoreRequest): void {
  withdrawRequest(dataDir)
  mkdirSync(folderIn(dataDir), { recursive: true, mode: 0o700 })
  linkOrCopy(file, requestedBackup(dataDir))
  writeWhole(request(dataDir), asked)
}

/**
 * Takes the request, which is not repeated regardless of the result: a backup that cannot be restored must not prevent a
 * server from starting.
 */
export function takeRequest(dataDir: string): { request: RestoreRequest; file: string } | null {
  const asked = read<RestoreRequest>(request(dataDir))
  if (!asked) return null
  writeOutcome(dataDir, { ...asked, restored: null, before: null, refused: null })
  rmSync(request(dataDir))
  return { request: asked, file: requestedBackup(dataDir) }
}

/** Deletes a request with its backup. */
export function withdrawRequest(dataDir: string): void {
  for (const file of [request(dataDir), requestedBackup(dataDir)]) rmSync(file, { force: true })
}

/** Records the result of the requested restore, for the next start to show. */
export const writeOutcome = (dataDir: string, ended: RestoreOutcome) => writeWhole(outcome(dataDir), ended)

/** The last requested restore, or null. One that neither ended nor was refused was interrupted. */
export const lastRestore = (dataDir: string) => read<RestoreOutcome>(outcome(dataDir))

/** Null if there is no file, or an incomplete one. */
function read<Content>(file: string): Content | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Content
  } catch {
    return null
  }
}

function writeWhole(file: string, content: unknown): void {
  writeFileSync(`${file}.part`, JSON.stringify(content), { mode: 0o600 })
  renameSync(`${file}.part`, file)
}

/** A link costs nothing, but only works within one file system. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}

/** Copies of data replaced by restores. Each is as large as the database was. */
const COPIES_KEPT = 3

/** The backup prepared by a restore. */
export const preparedIn = (dataDir: string) => join(dataDir, 'restoring.db')

/** Removes the files prepared for a restore, in a folder that this process has locked. */
export function removePrepared(dataDir: string): void {
  for (const end of ['', '-journal']) rmSync(`${preparedIn(dataDir)}${end}`, { force: true })
}

/** Removes the copies of data replaced by earlier restores, except for the newest and `except`. */
export function removeOldCopies(folder: string, except: string): void {
  const copies = keptBackups([folder]).filter(({ kind }) => kind === 'before-restore')
  for (const { file } of copies.slice(COPIES_KEPT)) if (file !== except) rmSync(file, { force: true })
}

/** Removes the files left by a killed restore: copies of its backup, and an incomplete copy of the previous data. */
export async function removeInterrupted(dataDir: string): Promise<void> {
  // Not those of others: a backup may be in progress.
  const leftIn = () =>
    unfinishedIn(backupsIn(dataDir)).flatMap(({ kind, file }) => (kind === 'before-restore' ? [file] : []))
  if (![preparedIn(dataDir), requestedBackup(dataDir), ...leftIn()].some(file => existsSync(file))) return
  // It may still be in use by another process.
  await alone(join(dataDir, 'server.lock'), async () => {
    removePrepared(dataDir)
    withdrawRequest(dataDir)
    for (const file of leftIn()) rmSync(file, { force: true })
  })
}
