import type { ChildProcess } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { startOf } from '../../domain/safes/imports/begin-import.js'
import { FileReaders } from '../../domain/safes/imports/file-readers.js'
import type { ImportPiece } from '../../domain/safes/imports/import-pieces.js'
import { ImportRejected } from '../../domain/safes/imports/import-source.js'
import { identify } from '../../engine/formats/identify.js'
import { startChild } from '../../platform/processes/child.js'
import { memoryMb, timed } from '../figures.js'

/** The result for a file. `failed`: not refused, but broken. */
export interface FileRead {
  outcome: 'read' | 'bad lines' | 'refused' | 'failed'
  /** The reason why it was not read, or its first bad line; else empty. */
  reason: string
  seconds: number
}

const FROM = new URL('../../domain/safes/imports/file-readers.js', import.meta.url).href

/** The readers of the service, one at a time. */
export class Readers {
  #child: ChildProcess | null = null
  /** As of the last piece: the process may have ended. */
  #peakMb = 0
  readonly #spoolFolder: string
  readonly #readers = new FileReaders(undefined, limits => {
    this.#child = startChild('reader-worker', FROM, limits)
    return this.#child
  })

  constructor(spoolFolder: string) {
    this.#spoolFolder = spoolFolder
  }

  /** Reads a file as an import does. */
  async read(path: string): Promise<FileRead> {
    const { result, clock } = await timed(() =>
      this.#read(path).catch(error => ({
        outcome: error instanceof ImportRejected ? ('refused' as const) : ('failed' as const),
        reason: String(error.message),
      })),
    )
    return { ...result, seconds: clock / 1000 }
  }

  /** The peak memory of the reader, in MB. */
  peakMb(): number {
    return this.#peakMb
  }

  close(): Promise<void> {
    return this.#readers.close()
  }

  async #read(path: string): Promise<Omit<FileRead, 'seconds'>> {
    const job = { format: await formatOf(path), isGuess: true, spoolFolder: this.#spoolFolder }
    const reading = { source: basename(path), bytes: createReadStream(path) }
    const never = new AbortController().signal
    let firstBad = ''
    let isEmpty = true
    for await (const piece of this.#readers.read('bench', job, reading, never)) {
      this.#peakMb = Math.max(this.#peakMb, memoryMb(this.#child?.pid, 'VmHWM'))
      const [bad] = piece.badLines
      if (bad && firstBad === '') firstBad = `line ${bad.line}: ${bad.problem}`
      isEmpty &&= !hasRows(piece)
    }
    if (firstBad !== '') return { outcome: 'bad lines', reason: firstBad }
    return isEmpty
      ? { outcome: 'refused', reason: 'This file contains nothing to import.' }
      : { outcome: 'read', reason: '' }
  }
}

/** The format shown by its bytes and name. @throws ImportRejected */
export async function formatOf(path: string): Promise<string> {
  const found = identify(basename(path), await startOf(createReadStream(path)))
  if (found === null) throw new ImportRejected('Files of this kind cannot be imported.')
  if ('unreadable' in found) throw new ImportRejected(found.unreadable)
  return 'archive' in found ? 'zip' : found.format.id
}

const hasRows = ({ rows }: ImportPiece) => rows !== null && rows.entities.length + rows.relations.length > 0
