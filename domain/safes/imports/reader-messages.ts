import type { Work } from '../../../platform/processes/messages.js'
import type { FilesPiece, FilesToRead } from './file-pieces.js'
import type { ImportFiles } from './import-files.js'
import type { ImportPiece } from './import-pieces.js'
import type { PackedRows } from './packed-rows.js'

/** A file, archive or folder for a reader. Its bytes follow on request. */
export interface ReadingJob {
  format: string
  /** The format comes from the file's name; its bytes may show another. */
  isGuess?: boolean
  nameColumn?: string
  source: string
  folder: ({ paths: string[] } & Omit<ImportFiles, 'files'>) | null
  /** Set if the files of the folder are read one by one (`file-pieces.ts`); the other details of each, in their order. */
  each?: Omit<FilesToRead, 'files'> & { scopes: string[]; lineBreaks: boolean[] }
  spoolFolder: string
}

/** A result of the reader. The last piece has a hash. */
export type Piece = ImportPiece | FilesPiece

/** A piece on its way. */
export type SentPiece = (Omit<ImportPiece, 'rows'> & { packed: PackedRows }) | Piece

/** `usedMs`: the processor time of the job. The reader requests bytes: null at the end. `open`: the position of a file in the folder; null for a single file. */
export interface ReadingWork extends Work {
  job: ReadingJob
  piece: { piece: SentPiece; usedMs: number }
  result: { piece: SentPiece; usedMs: number }
  question: { open: number | null } | 'pull' | 'close'
  reply: Uint8Array | null
}
