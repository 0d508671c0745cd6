import type { FilesPiece, FilesToRead } from './file-pieces.js'
import type { ImportFiles } from './import-files.js'
import type { ImportPiece } from './import-pieces.js'
import type { PackedRows } from './packed-rows.js'

/** A file, archive or folder for a reader. Its bytes follow on request. */
export interface ReadingJob {
  format: string
  /** The format is that of the file's name; its bytes may say another. */
  isGuess?: boolean
  nameColumn?: string
  source: string
  folder: ({ paths: string[] } & Omit<ImportFiles, 'files'>) | null
  /** Set if the files of the folder are read one by one (`file-pieces.ts`); the rest of each in their order. */
  each?: Omit<FilesToRead, 'files'> & { scopes: string[]; lineBreaks: boolean[] }
  spoolFolder: string
}

/** What the reader has read. The last piece has a hash. */
export type Piece = ImportPiece | FilesPiece

/** A piece on its way. */
export type SentPiece = (Omit<ImportPiece, 'rows'> & { packed: PackedRows }) | Piece

export type ToReader =
  | { kind: 'read'; job: ReadingJob }
  /** Null at the end. */
  | { kind: 'bytes'; request: number; bytes: Uint8Array | null }
  | { kind: 'broken'; request: number; message: string }
  | { kind: 'go on' }

export type FromReader =
  /** `file`: its position in the folder; null for a single file. */
  | { kind: 'open'; file: number | null; request: number }
  | { kind: 'pull'; request: number }
  | { kind: 'close' }
  | { kind: 'piece'; piece: SentPiece }
  | { kind: 'failed'; message: string; isRefusal: boolean }
