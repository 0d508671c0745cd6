import { Readable } from 'node:stream'
import type { SyncOptions } from '../../../domain/safes/sync/folder-run.js'

export const NOTHING_LEFT_OUT = { hidden: 0, ignored: 0, tooLarge: 0, links: 0, others: 0 }

/** A folder in memory. */
export class Folder {
  opened = 0
  #time = 1_000
  readonly #files = new Map<string, { bytes: Buffer; modifiedAt: number }>()

  set(path: string, content: string | Buffer): this {
    this.#time += 1_000
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    this.#files.set(path, { bytes, modifiedAt: this.#time })
    return this
  }

  delete(path: string): this {
    this.#files.delete(path)
    return this
  }

  clear(): void {
    this.#files.clear()
  }

  readonly walk: SyncOptions['walk'] = async () => {
    const files = Array.from(this.#files, ([path, { bytes, modifiedAt }]) => ({
      ...{ path, size: bytes.length, modifiedAt },
      open: async () => {
        this.opened++
        return Readable.from([bytes])
      },
    }))
    return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), leftOut: NOTHING_LEFT_OUT }
  }
}
