import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import type { Clock } from '../../common/clock.js'
import { startWorker } from '../../common/worker.js'
import type { DatabaseLocation } from '../database.js'
import { acquireLock } from '../sqlite/lock.js'
import { removeUnfinished } from './make-backup.js'

export interface Schedule {
  folder: string
  everyMs: number
  /** How many backups stay in the folder. */
  keep: number
}

const NAME = /^svc-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.db$/

/** Makes a backup in a thread when the newest one in a folder is old, and removes the oldest. */
export class ScheduledBackups {
  readonly #from: DatabaseLocation
  readonly #schedule: Schedule
  readonly #clock: Clock
  #worker: Worker | null = null

  constructor(from: DatabaseLocation, schedule: Schedule, clock: Clock) {
    this.#from = from
    this.#schedule = schedule
    this.#clock = clock
  }

  /**
   * Several processes may share a folder: one of them makes the backup.
   * @returns the new file, or null when none is due
   */
  async makeIfDue(): Promise<string | null> {
    const { folder, everyMs, keep } = this.#schedule
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const release = await acquireLock(join(folder, 'backup.lock'))
    if (!release) return null
    try {
      const now = this.#clock()
      const newest = latestBackup(folder)
      if (newest && now - newest.at < everyMs) return null
      removeUnfinished(folder)
      const file = join(folder, nameAt(now))
      await this.#make(file, now)
      for (const old of backupsIn(folder).slice(keep)) rmSync(join(folder, old))
      return file
    } finally {
      release()
    }
  }

  /**
   * Whether a backup should have been made long ago: the newest is older than two intervals. Without any, the one that
   * has just been tried would be the first.
   */
  isOverdue(): boolean {
    const newestAt = this.newestAt()
    return newestAt === null || this.#clock() - newestAt > 2 * this.#schedule.everyMs
  }

  /** When the newest backup was made. Null: there is none, or the folder cannot be read. */
  newestAt(): number | null {
    try {
      const newest = backupsIn(this.#schedule.folder)[0]
      return newest ? timeOf(newest) : null
    } catch {
      return null
    }
  }

  async #make(file: string, now: number): Promise<void> {
    const worker = startWorker('backup-worker', import.meta.url, { from: this.#from, file, now })
    this.#worker = worker
    try {
      const [code] = await once(worker, 'exit')
      if (code !== 0) throw new Error(`the backup was stopped (exit code ${code})`)
    } finally {
      this.#worker = null
    }
  }

  /** A backup that is being made is given up. */
  async close(): Promise<void> {
    await this.#worker?.terminate()
  }
}

/** The newest backup of a schedule, or null. @throws when the folder cannot be read */
export function latestBackup(folder: string): { file: string; at: number } | null {
  const [newest] = backupsIn(folder)
  return newest ? { file: join(folder, newest), at: timeOf(newest) } : null
}

/** The files that a schedule has made, newest first. Others in the folder are left alone. */
function backupsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter(name => NAME.test(name))
    .sort()
    .reverse()
}

/** Without colons, which Windows does not allow in names. */
const nameAt = (now: number) =>
  `svc-${new Date(now)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')}.db`

const timeOf = (name: string) => Date.parse(name.replace(NAME, '$1T$2:$3:$4Z'))
