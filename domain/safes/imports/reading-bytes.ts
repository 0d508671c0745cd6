import { Part } from '../../part.js'
import type { ImportOptions } from '../safe.js'
import type { FilesPiece, FilesToRead } from './file-pieces.js'
import type { ImportFile, ImportFiles } from './import-files.js'
import type { ImportPiece, ReadPosition } from './import-pieces.js'
import type { PackedRows } from './packed-rows.js'

/** A file, archive or folder for a reader. Its bytes follow on request. */
export interface ReadingJob {
  format: string
  /** The format comes from the file's name; its bytes may show another. */
  isGuess?: boolean
  nameColumn?: string
  source: string
  folder?: Closed<ImportFiles> | undefined
  /** Set if the files of a folder are read one by one (`file-pieces.ts`). */
  each?: Closed<FilesToRead>
  spoolFolder: string
}

type Files = { files: readonly ImportFile[] }
type Closed<Of extends Files> = ReturnType<typeof closed<Of>>

/** Files as a reader gets them, without their bytes. */
export const closed = <Of extends Files>({ files, ...rest }: Of) => ({
  ...rest,
  files: files.map(({ open: _, ...file }: Of['files'][number]) => file),
})

/** A result of the reader. The last piece has a hash. */
export type Piece = ImportPiece | FilesPiece

/** A piece on its way. */
export type SentPiece = (Omit<ImportPiece, 'rows'> & { packed: PackedRows }) | Piece

/** `usedMs`: the processor time of the job. The reader requests bytes: null at the end. `open`: the position of a file in the folder; null for a single file. */
export interface ReadingWork {
  job: ReadingJob
  piece: { piece: SentPiece; usedMs: number }
  result: { piece: SentPiece; usedMs: number }
  question: { open: number | null } | 'pull' | 'close'
  reply: Uint8Array | null
}

/** The source of a reading: a stream, or files of a folder. */
export type Reading = Pick<ImportOptions, 'source' | 'bytes' | 'files'>

/** The bytes of what a reader reads, which it requests: one file at a time. */
export class ReadingBytes extends Part<Reading> {
  #bytes: AsyncIterator<Uint8Array | string> | null = null
  #isEnded = false
  /** The position of the reader. */
  place: ReadPosition = { file: null, line: 0 }

  /** Answers the reader. */
  async answer(question: ReadingWork['question']): Promise<Uint8Array | null> {
    if (question === 'close') return this.#close()
    if (question !== 'pull') await this.#open(question.open)
    const next = this.#bytes?.next()
    // The reading may have ended while the file was opened. An unread stream would stay open.
    if (this.#isEnded) await this.#close()
    const { value = null } = (await next) ?? {}
    return typeof value === 'string' ? Buffer.from(value) : value
  }

  /** Closes everything that is open. */
  end(): void {
    this.#isEnded = true
    void this.#close()
  }

  async #open(file: number | null): Promise<void> {
    const { bytes, files } = this.dependencies
    const chosen = file === null ? undefined : files?.files[file]
    if (chosen) this.place = { file: chosen.path, line: 0 }
    const opened = chosen ? await chosen.open() : bytes
    this.#bytes = opened?.[Symbol.asyncIterator]() ?? null
  }

  async #close(): Promise<null> {
    const bytes = this.#bytes
    this.#bytes = null
    await bytes?.return?.().catch(() => {})
    return null
  }
}
