import { createHash, type Hash } from 'node:crypto'
import { noteIds, noteNamesOf } from '../../../engine/formats/index.js'
import type { BadLine, Counts } from '../safe.js'
import type { RowBatch } from '../stores/types.js'
import { formatInside, type ImportFile, isReadBesideNotes } from './import-files.js'
import type { ReadPosition } from './import-pieces.js'
import { readFile, remarkIn, type SourceReport } from './import-source.js'
import { RowCollector } from './rows.js'

/** Rows read since the previous piece: those of several files that fit into one transaction. */
export interface FilesPiece {
  parts: FilePart[]
  place: ReadPosition
  /** Only in the last piece, which is then complete. */
  contentHash?: string
}

interface FilePart {
  /** The file's position in the list. */
  file: number
  rows: RowBatch | null
  /** In the file's last part. */
  end?: FileEnd
}

export interface FileEnd {
  contentHash: string
  /** Names that its links were looked up by; null: too many to store. */
  lookedUp: string[] | null
  counts: Pick<Counts, 'relations' | 'passages'>
  /** The first bad lines; such a file must not be used. */
  badLines: BadLine[]
  /** Parts read differently than the author intended. */
  remarks: BadLine[]
}

/** Files that a thread reads one by one. */
export interface FilesToRead {
  files: readonly (ImportFile & { scope: string; lineBreaks?: boolean | undefined })[]
  /** The paths of all notes in the folder, for their names. */
  notes: readonly string[]
  /** A piece for each file, to know which one the thread has reached. */
  oneByOne: boolean
}

/** A file with this many bad lines is not read further. */
const MAX_BAD_LINES = 5
const MAX_LOOKED_UP = 2_000

/** Reads each file into rows of its own. Yields at least every `everyMs`, if only the position. */
export async function* filePiecesOf(
  { files, notes, oneByOne }: FilesToRead,
  everyMs: number,
): AsyncGenerator<FilesPiece> {
  // Only of the files that are read: the others in the folder are not available.
  const names = noteNamesOf(notes)
  names.ids = await noteIds(files)
  let parts: FilePart[] = []
  let size = { rows: 0, text: 0 }
  let place: ReadPosition = { file: null, line: 0 }
  let sentAt = performance.now()
  const take = (): FilesPiece => {
    const piece = { parts, place }
    parts = []
    size = { rows: 0, text: 0 }
    sentAt = performance.now()
    return piece
  }
  for (const [file, { path, scope, lineBreaks, open }] of files.entries()) {
    const rows = new RowCollector()
    const hash = createHash('sha256')
    const badLines: BadLine[] = []
    const report: SourceReport = {}
    const lookedUp = new Set<string>()
    names.lookedUp = lookedUp
    const add = (end?: FileEnd) => {
      const collected = rows.size
      parts.push({ file, rows: rows.take(), ...(end ? { end } : {}) })
      // The file itself is a row.
      size = { rows: size.rows + collected.rows + 1, text: size.text + collected.text }
    }
    const format = formatInside(path, notes.length > 0)
    const remark = remarkIn(report, path)
    const isLeftOut = (problem: string) => {
      if (notes.length === 0 || !format || !isReadBesideNotes(format)) return false
      remark(1, `${problem} It was left out.`)
      return true
    }
    const parsing = format
      ? readFile(
          format,
          { path, scope, notes: names, remark, lineBreaks },
          async () => hashed(open, hash),
          rows.documents,
          isLeftOut,
        )
      : []
    for await (const parsed of parsing) {
      for (const item of parsed) {
        place = { file: path, line: item.line }
        if ('problem' in item) badLines.push({ file: path, ...item })
        else if (badLines.length === 0) rows.add(item.record, item.line)
        if (!rows.isFullWith(size)) continue
        add()
        yield take()
      }
      if (badLines.length >= MAX_BAD_LINES) break
      if (performance.now() - sentAt >= everyMs) yield take()
    }
    add({
      contentHash: hash.digest('base64url'),
      lookedUp: lookedUp.size > MAX_LOOKED_UP ? null : [...lookedUp],
      counts: rows.counts,
      badLines: badLines.slice(0, MAX_BAD_LINES),
      remarks: report.remarks?.first ?? [],
    })
    if (oneByOne) yield take()
  }
  yield { ...take(), contentHash: '' }
}

async function* hashed(open: ImportFile['open'], hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const some of await open()) {
    hash.update(some)
    yield some
  }
}
