import type { BadLine, ImportReport } from '../safe.js'
import type { RowBatch } from '../stores/types.js'
import type { ImportSource } from './import-source.js'
import { RowCollector } from './rows.js'

/** Data read since the previous piece: little enough to process in a few milliseconds. */
export interface ImportPiece {
  rows: RowBatch | null
  badLines: BadLine[]
  /** Totals so far. */
  counts: { relations: number; passages: number }
  bytesRead: number
  /** Position of the reader. */
  place: ReadPosition
  /** Only in the last piece: what else the report says, and SHA-256 of all bytes, hex. */
  report?: Partial<ImportReport>
  contentHash?: string
}

export interface ReadPosition {
  /** Null for a single file. */
  file: string | null
  line: number
}

const MAX_BAD_LINES = 100
/** Number of things written together, a few megabytes: each transaction then changes a twentieth of the pages. */
const HELD = 10_000

/** Reads the source to its end. Yields at least every `everyMs`, if only the position. @throws ImportRejected */
export async function* piecesOf(source: ImportSource, everyMs: number): AsyncGenerator<ImportPiece> {
  const rows = new RowCollector(HELD)
  let badLines: BadLine[] = []
  const place: ReadPosition = { file: null, line: 0 }
  let sentAt = performance.now()
  const take = (): ImportPiece => {
    const { bytesRead } = source
    const piece = { rows: rows.take(), badLines, counts: rows.counts, bytesRead, place: { ...place } }
    badLines = []
    sentAt = performance.now()
    return piece
  }
  for await (const { file, parsed } of source.read(rows.documents)) {
    if (parsed.length > 0) place.file = file
    for (const item of parsed) {
      place.line = item.line
      if ('problem' in item) badLines.push(file === null ? item : { file, ...item })
      else rows.add(item.record, item.line)
      while (rows.isFull || badLines.length >= MAX_BAD_LINES) yield take()
    }
    if (performance.now() - sentAt >= everyMs) yield take()
  }
  rows.end()
  while (rows.isFull) yield take()
  const { mergedNames } = rows
  const report = { ...source.report, ...(mergedNames.count > 0 && { mergedNames }) }
  yield { ...take(), report, contentHash: source.contentHash() }
}
