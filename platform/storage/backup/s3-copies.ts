import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { alone } from '../sqlite/lock.js'
import { BackupRefused, keptBackups } from './kept-backups.js'
import { type S3Address, S3Bucket, type S3Copy } from './s3-bucket.js'
import type { Schedule } from './scheduled-backups.js'

/** Keeps copies of the backups of a schedule in a bucket, as many as the schedule keeps. */
export class S3Copies {
  readonly #bucket: S3Bucket
  readonly #schedule: Schedule

  constructor(address: S3Address, schedule: Schedule) {
    this.#bucket = new S3Bucket(address)
    this.#schedule = schedule
  }

  /** Newest first. */
  list(): Promise<S3Copy[]> {
    return this.#bucket.list()
  }

  /**
   * Copies missing backups into the bucket, the newest first, and removes those older than the kept ones. Of several
   * processes with one folder, one does it.
   * @returns the names of the new copies
   */
  async send(): Promise<string[]> {
    const { folder, keep } = this.#schedule
    const sent = await alone(join(folder, 'copy.lock'), async () => {
      const there = await this.list()
      const kept = keptBackups([folder])
        .filter(({ kind }) => kind === 'made')
        .slice(0, keep)
      const missing = kept.filter(({ name }) => !there.some(copy => copy.name === name))
      for (const { name, file } of missing) await this.#bucket.put(name, file)
      const all = [...there, ...missing].sort((a, b) => b.at - a.at)
      for (const { name } of all.slice(keep)) await this.#bucket.remove(name)
      return missing.map(({ name }) => name)
    })
    return sent ?? []
  }

  /** Downloads a copy into the folder. @throws BackupRefused if the bucket has none of this name */
  async bring(name: string): Promise<void> {
    if (!(await this.list()).some(copy => copy.name === name))
      throw new BackupRefused('This backup is no longer there.')
    mkdirSync(this.#schedule.folder, { recursive: true, mode: 0o700 })
    await this.#bucket.get(name, join(this.#schedule.folder, name))
  }
}
