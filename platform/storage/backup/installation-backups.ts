import { mkdirSync } from 'node:fs'
import type { Clock } from '../../common/clock.js'
import { type Manifest, readManifest, withBackupFile } from './backup-file.js'
import { BackupRefused, type KeptBackup, keptBackups } from './kept-backups.js'
import { lastRestore, type RestoreOutcome, requestRestore } from './restore-request.js'
import type { S3Copy } from './s3-bucket.js'
import type { S3Copies } from './s3-copies.js'
import type { ScheduledBackups } from './scheduled-backups.js'

interface InstallationBackupsDependencies {
  dataDir: string
  /** The folders of backups: that of the schedule first. */
  folders: readonly string[]
  maker: ScheduledBackups
  /** Copies in a bucket, or null. */
  copies: S3Copies | null
  /** Called after a requested backup was made. */
  onMade: () => void
  clock: Clock
  /** Restarts this process, which then restores the requested backup. */
  startAgain: () => void
}

/** The backups of an installation, as a running server knows them. */
export class InstallationBackups {
  readonly #dependencies: InstallationBackupsDependencies
  #making: Promise<string> | null = null

  constructor(dependencies: InstallationBackupsDependencies) {
    this.#dependencies = dependencies
  }

  /** Newest first. */
  list(): KeptBackup[] {
    return keptBackups(this.#dependencies.folders)
  }

  find(name: string): KeptBackup | null {
    return this.list().find(backup => backup.name === name) ?? null
  }

  /** Whether this process is making a requested backup. */
  get isMaking(): boolean {
    return this.#making !== null
  }

  /** Makes a backup, or waits for the one in progress. @throws BackupRefused */
  make(): Promise<string> {
    const { maker, onMade } = this.#dependencies
    this.#making ??= maker.make().finally(() => {
      this.#making = null
    })
    const made = this.#making
    void made.then(onMade, () => {})
    return made
  }

  /** The copies in the bucket, or null without one. @throws if it cannot be listed */
  copies = async (): Promise<S3Copy[] | null> => (await this.#dependencies.copies?.list()) ?? null

  /** Downloads a copy from the bucket into the folder. @throws BackupRefused if there is none of this name */
  async bring(name: string): Promise<void> {
    const { copies } = this.#dependencies
    if (!copies) throw new BackupRefused('Backups are not copied anywhere.')
    await copies.bring(name)
  }

  /** The manifest of a backup, or null for other files. Its rows are not read. */
  manifestOf({ file }: KeptBackup): Promise<Manifest | null> {
    return withBackupFile(file, readManifest).catch(() => null)
  }

  /**
   * Verifies a whole backup, leaves it for the next start, and restarts.
   * @throws BackupRefused for a file that is damaged or newer; nothing happens then
   */
  async restore({ name, file }: KeptBackup): Promise<void> {
    const { dataDir, maker, clock, startAgain } = this.#dependencies
    await maker.verify(file)
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    requestRestore(dataDir, file, { name, requestedAt: clock() })
    startAgain()
  }

  /** The result of the last restore requested from a server, or null. */
  lastRestore(): RestoreOutcome | null {
    return lastRestore(this.#dependencies.dataDir)
  }
}
