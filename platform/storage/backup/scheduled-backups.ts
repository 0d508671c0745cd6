import { accessSync, constants, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../common/clock.js'
import { Unavailable } from '../../common/unavailable.js'
import { Pool } from '../../processes/pool.js'
import { Thread } from '../../processes/thread.js'
import type { DatabaseLocation } from '../database.js'
import { alone } from '../sqlite/lock.js'
import { BackupRefused, type KeptBackup, keptBackups, nameAt } from './kept-backups.js'
import { removeUnfinished } from './make-backup.js'

export interface Schedule {
  folder: string
  everyMs: number
  /** How many backups stay in the folder. */
  keep: number
}

/** A backup to make in a thread, or to verify. */
export interface BackupWork {
  job: { file: string; make?: { from: DatabaseLocation; now: number } }
}

const SECOND_MS = 1000

/** Makes a backup in a thread when the newest one in a folder is old, and removes the oldest. */
export class ScheduledBackups {
  readonly #from: DatabaseLocation
  readonly #schedule: Schedule
  readonly #clock: Clock
  readonly #pool = new Pool<BackupWork, Thread>({
    start: () => new Thread('backup-worker', import.meta.url),
    isWorthKeeping: () => false,
    errors: [BackupRefused, Unavailable],
  })

  constructor(from: DatabaseLocation, schedule: Schedule, clock: Clock) {
    this.#from = from
    this.#schedule = schedule
    this.#clock = clock
  }

  /**
   * Several processes may share a folder: one of them makes the backup.
   * @returns the new file, or null if none is due
   */
  async makeIfDue(): Promise<string | null> {
    return this.#alone(async now => {
      const newest = latestBackup(this.#schedule.folder)
      return newest && now - newest.at < this.#schedule.everyMs ? null : this.#makeAt(now)
    })
  }

  /** Makes a backup now. @throws BackupRefused while another is being made, Unavailable if the database ends it */
  async make(): Promise<string> {
    const file = await this.#alone(now => this.#makeAt(now))
    if (file === null) throw new BackupRefused('A backup is being made already.')
    return file
  }

  /** Null if another process does it. */
  #alone(work: (now: number) => Promise<string | null>): Promise<string | null> {
    const { folder } = this.#schedule
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return alone(join(folder, 'backup.lock'), () => work(this.#clock()))
  }

  async #makeAt(now: number): Promise<string> {
    const { folder, keep } = this.#schedule
    removeUnfinished(folder)
    const bySecond = join(folder, nameAt('svc', Math.floor(now / SECOND_MS) * SECOND_MS))
    const file = existsSync(bySecond) ? join(folder, nameAt('svc', now)) : bySecond
    await this.#pool.result({ file, make: { from: this.#from, now } })
    for (const old of backupsIn(folder).slice(keep)) rmSync(old.file, { force: true })
    return file
  }

  /**
   * Whether a backup is overdue: the newest is older than two intervals. Without any, the one just
   * tried would be the first.
   */
  isOverdue(): boolean {
    const newestAt = this.newestAt()
    return newestAt === null || this.#clock() - newestAt > 2 * this.#schedule.everyMs
  }

  /** The time of the newest backup. Null: there is none, or the folder cannot be read. */
  newestAt(): number | null {
    try {
      return latestBackup(this.#schedule.folder)?.at ?? null
    } catch {
      return null
    }
  }

  /** Verifies a backup in a thread. @throws BackupRefused for a file that is damaged or newer */
  async verify(file: string): Promise<void> {
    await this.#pool.result({ file })
  }

  /** A backup in progress is cancelled. */
  close(): Promise<void> {
    return this.#pool.end()
  }
}

/** The newest backup of a schedule, or null. @throws if the folder cannot be read */
export function latestBackup(folder: string): { file: string; at: number } | null {
  accessSync(folder, constants.R_OK)
  return backupsIn(folder)[0] ?? null
}

/** The files that a schedule or a person has made, newest first. Others in the folder are left alone. */
const backupsIn = (folder: string): KeptBackup[] =>
  keptBackups([folder]).filter(({ kind }) => kind === 'made')
